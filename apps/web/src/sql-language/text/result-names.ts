/** `@result.<job id>` stands for an earlier result; `_2` behind it for that of the second statement. */
const RESULT_NAME = /@result\.[0-9a-f]([0-9a-f-]{35}(?:_\d{1,3})?)/gi

export const RESULT_SCHEMA = '_result'

/** Results as a table of the same length: no grammar reads `@`, nor a name with hyphens. */
export const nameResults = (sql: string): string =>
  sql.includes('@')
    ? sql.replaceAll(RESULT_NAME, (_, id: string) => `${RESULT_SCHEMA}.r${id.replaceAll('-', '_')}`)
    : sql
