/** `@result.<job id>` is an earlier result; suffix `_2` for its second statement. */
const RESULT_NAME = /@result\.[0-9a-f]([0-9a-f-]{35}(?:_\d{1,3})?)/gi

export const RESULT_SCHEMA = '_result'

/** Replaces them by names of the same length that the parser accepts. */
export const nameResults = (sql: string): string =>
  sql.includes('@')
    ? sql.replaceAll(RESULT_NAME, (_, id: string) => `${RESULT_SCHEMA}.r${id.replaceAll('-', '_')}`)
    : sql
