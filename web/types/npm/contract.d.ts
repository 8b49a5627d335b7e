/** The types of the contract, where the npm package's own types look for them. */
export type * from '../../src/api/openapi';
