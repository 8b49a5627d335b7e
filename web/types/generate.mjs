/**
 * Writes the page's types from the committed OpenAPI document.
 *
 * Lists of names that may grow are open in the document, for the sake of clients. Service and page
 * are one version, so here they are closed, and the compiler finds each name without its words.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';

const KNOWN_NAMES = 'x-extensible-enum';
const source = new URL('../../tests/golden/openapi.json', import.meta.url);
const target = new URL('../src/api/openapi.ts', import.meta.url);

const close = (_key, value) =>
  value !== null && typeof value === 'object' && KNOWN_NAMES in value
    ? { ...value, enum: value[KNOWN_NAMES] }
    : value;

const document = JSON.parse(readFileSync(source, 'utf8'), close);
const types = await openapiTS(document, { immutable: true, rootTypes: true, rootTypesNoSchemaPrefix: true });
writeFileSync(target, COMMENT_HEADER + astToString(types));
