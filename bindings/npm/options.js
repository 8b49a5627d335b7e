/** Options of the functions of this package: what a function does not have is refused, never ignored. */

/**
 * Returns the options.
 *
 * @param {string} name of the function
 * @param {readonly string[]} known the options that it has
 * @throws {TypeError} It has no such option.
 */
export function checked(name, options, known) {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(`${name}: its options have to be an object with ${known.join(', ')}`);
  }
  const unknown = Object.keys(options).find((option) => !known.includes(option));
  if (unknown === undefined) return options;
  const advice = known.includes('context') ? '; what is known of the win goes into `context`' : '';
  throw new TypeError(`${name}: the option ${JSON.stringify(unknown)} is unknown: expected one of ${known.join(', ')}${advice}`);
}
