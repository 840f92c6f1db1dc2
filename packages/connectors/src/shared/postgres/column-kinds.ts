import type { ColumnType } from '@trellis/contract/explorer/column-types'
import pg from 'pg'

export const quoteName = (name: string): string => pg.escapeIdentifier(name)
export const quoteText = (text: string): string => pg.escapeLiteral(text)

const TIMES: readonly ColumnType[] = ['date', 'timestamp', 'timestamptz']
const FOLLOWED: readonly ColumnType[] = ['integer', 'decimal', 'float', 'text', ...TIMES]

export const isTime = (type: ColumnType): boolean => TIMES.includes(type)
export const canBeFollowed = (type: ColumnType): boolean => FOLLOWED.includes(type)
