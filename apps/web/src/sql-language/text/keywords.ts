/** Reserved words and function or type names: need quotes as identifiers. */
export const RESERVED: ReadonlySet<string> = new Set(
  `all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation column
  concurrently constraint create cross current_catalog current_date current_role current_schema current_time
  current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze from
  full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit localtime
  localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references returning
  right select session_user similar some symmetric system_user table tablesample then to trailing true union unique user
  using variadic verbose when where window with`.split(/\s+/),
)

/** Keywords after a table in FROM that are valid names but no alias. */
const NO_ALIAS = new Set(['set', 'values', 'default', 'returning', 'overriding', 'matched', 'nothing', 'partition'])

export const canBeAlias = (word: string): boolean => !RESERVED.has(word) && !NO_ALIAS.has(word)

const PLAIN = /^[a-z_][a-z0-9_$]*$/

/** Quotes only where needed. */
export const quoteName = (name: string): string =>
  PLAIN.test(name) && !RESERVED.has(name) ? name : `"${name.replaceAll('"', '""')}"`
