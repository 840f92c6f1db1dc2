import pg from 'pg'

export const quoteName = (name: string): string => pg.escapeIdentifier(name)
export const quoteText = (text: string): string => pg.escapeLiteral(text)

export const isHiddenSchema = (name: string): boolean => /^(?:pg_|trellis|information_schema$)/i.test(name)
