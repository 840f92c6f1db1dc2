/** Never splits a surrogate pair, which could not be stored as JSON. */
export const truncateText = (text: string, length: number): string =>
  text.length > length ? text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '') : text
