import type { Engine } from '../answer.ts'
import { readShortText } from '../read/short-text.ts'
import type { Table } from '../schema/model.ts'
import { findTableByName } from '../schema/named-table.ts'

const PROFILE =
  /^(?:please\s+)?(?:profile|describe|summari[sz]e|(?:give me )?an? (?:profile|overview|summary) of|(?:show (?:me )?)?(?:the )?(?:profile|structure|columns|overview|summary) of|what(?:'s|’s| is)? in|tell me about|which columns (?:are in|does))\s+(?:the\s+)?(?:table\s+)?@?(.+?)(?:\s+(?:table|data))?(?:\s+have)?[?.!\s]*$/i

/** "describe orders", "what is in orders?": the table that is asked about. */
export function findProfiledTable(engine: Engine, text: string): Table | undefined {
  const tableName = readShortText(text, PROFILE)?.replaceAll(/["“”]/g, '')
  return tableName === undefined ? undefined : findTableByName(engine, tableName)
}
