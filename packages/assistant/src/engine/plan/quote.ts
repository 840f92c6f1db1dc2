const RESERVED_WORDS = new Set(
  `all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create current_date current_time current_user
  default deferrable desc distinct do else end except false fetch for foreign from grant group having in initially intersect into lateral leading limit
  localtime not null offset on only or order placing primary references returning select session_user some symmetric table then to trailing true union
  unique user using variadic when where window with authorization binary collation concurrently cross current_schema freeze full ilike inner is isnull join
  left like natural notnull outer overlaps right similar tablesample verbose between bigint bit boolean char character coalesce dec decimal exists extract
  float int integer interval national nchar none nullif numeric out overlay position precision real row setof smallint substring time timestamp treat trim
  values varchar`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

export const quoteIdentifier = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) && !RESERVED_WORDS.has(name) ? name : `"${name.replaceAll('"', '""')}"`

export const isReservedWord = (name: string): boolean => RESERVED_WORDS.has(name)

/** A plain cast fails the whole query at the first text that is not a number. */
export const castTextToNumber = (text: string): string =>
  String.raw`case when ${text} ~ '^\s*[+-]?\d+(\.\d+)?\s*$' then ${text}::numeric end`

/** Sessions have standard_conforming_strings on, so that only quotes need escaping. */
export const quoteLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`
