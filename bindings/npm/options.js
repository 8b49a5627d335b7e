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
  const near = nearest(unknown, known);
  const guess = near === undefined ? '' : `; did you mean ${near}?`;
  const advice = near === undefined && known.includes('context') ? '; what is known of the win goes into `context`' : '';
  throw new TypeError(`${name}: the option ${JSON.stringify(unknown)} is unknown: expected one of ${known.join(', ')}${guess}${advice}`);
}

/** Largest share of its characters that a name may differ in from the one that was meant. */
const MAX_DIFFERENCE = 0.3;

/** Returns the name that was probably meant, if there is one. */
function nearest(unknown, known) {
  const near = known.map((name) => ({ name, difference: difference(unknown.toLowerCase(), name.toLowerCase()) / name.length }));
  const [best] = near.filter(({ difference }) => difference <= MAX_DIFFERENCE).sort((one, other) => one.difference - other.difference);
  return best?.name;
}

/** Number of characters to add, leave out, replace or swap with the next, to make one name of another. */
function difference(one, other) {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = rows[i - 1][j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwapped ? rows[i - 2][j - 2] + 1 : replaced;
      row.push(Math.min(replaced, swapped, rows[i - 1][j] + 1, row[j - 1] + 1));
    }
    rows.push(row);
  }
  return rows[one.length][other.length];
}
