/** At most `length` UTF-16 units. Half of a character could not be stored as JSON, and what holds it would be lost with it. */
export const cutText = (text: string, length: number): string =>
  text.length > length ? text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '') : text
