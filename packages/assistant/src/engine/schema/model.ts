import type { CatalogueColumn, CatalogueTable } from './catalogue.ts'
import { stemWord } from '../words/stem.ts'
import { expandNameParts, isGenericPart, splitName, toEnglishName, toStems } from './names.ts'
import type { ColumnValueKind } from './stored-kinds.ts'

export interface Column extends CatalogueColumn, ColumnValueKind {
  readonly table: Table
  /** `schema.table.column`, also used in chips. */
  readonly key: string
  readonly isIdentifier: boolean
}

export interface Table extends Omit<CatalogueTable, 'columns'> {
  readonly key: string
  readonly columns: readonly Column[]
  readonly role?: { readonly name: string; readonly originalTable: Table }
}

export interface ModelForeignKey {
  readonly from: Table
  readonly fromColumns: readonly Column[]
  readonly to: Table
  readonly toColumns: readonly Column[]
}

/** A role-playing table: airports as the origin or the destination of a flight. */
export interface TableRole {
  readonly originalTable: Table
  /** A copy of the table with its own key, so that a query can join it once per role. */
  readonly aliasTable: Table
  readonly foreignKeys: readonly ModelForeignKey[]
  readonly words: readonly string[]
}

export interface Model {
  readonly tables: readonly Table[]
  readonly foreignKeys: readonly ModelForeignKey[]
  readonly tableRoles: readonly TableRole[]
}

/** Below zero, `distinct` is the negative share of rows that have a value of their own (n_distinct of pg_stats). */
export const NEARLY_UNIQUE = -0.9
export const MOSTLY_UNIQUE = -0.5

const NAME_COLUMN = /(^|_)(name|nm|title|label|caption|subject)$/i
const PERSON_NAME = /(first|last|given|family|sur|full)[_]?(name|nm)?$|^(surname|fname|lname)$/i

export const isPersonName = ({ name }: Pick<CatalogueColumn, 'name'>): boolean => PERSON_NAME.test(toEnglishName(name))

/** The columns people name a row by: name columns, else the first text column that is nearly unique. */
export function listDisplayColumns(table: Table): Column[] {
  const textColumns = table.columns.filter((column) => column.kind === 'text' && !column.isIdentifier)
  const nameColumns = textColumns.filter(
    (column) => isPersonName(column) || NAME_COLUMN.test(toEnglishName(column.name)),
  )
  if (nameColumns.length > 0) return nameColumns.slice(0, 3)
  const labelColumn = textColumns.find(({ name }) => /desc|label|code|sku|email|city/i.test(name))
  const nearlyUniqueColumn = textColumns.find((column) => column.distinct <= NEARLY_UNIQUE && !column.isNullable)
  const shownColumn = labelColumn ?? nearlyUniqueColumn
  return shownColumn ? [shownColumn] : []
}

export const findColumn = (table: Table, name: string): Column | undefined =>
  table.columns.find((column) => column.name === name)

export const listKeyColumns = (table: Table): Column[] =>
  table.primaryKey.flatMap((name) => findColumn(table, name) ?? [])

export const isDate = ({ kind }: Pick<CatalogueColumn, 'kind'>): boolean => kind === 'date' || kind === 'timestamp'
export const isNumeric = ({ kind }: CatalogueColumn): boolean => kind === 'integer' || kind === 'number'
export const isYear = ({ kind, name }: Pick<CatalogueColumn, 'kind' | 'name'>): boolean =>
  kind === 'integer' &&
  (/(?:^|_)year$|[a-z]Year$|^(?:founded|established|built|constructed)(?:_in)?$/.test(name) ||
    /(?:^|_)year$/.test(toEnglishName(name)))

/** `rent_month` with decimals is an amount per month, not a month number. */
const isAmountPerPeriod = ({ kind, name }: Column): boolean =>
  kind === 'number' && /[a-z]_(?:year|month)$/.test(toEnglishName(name))

/** A number that can be summed or averaged: no key, year, rank or postcode. */
export const isMeasure = (column: Column): boolean =>
  isNumeric(column) &&
  !column.isIdentifier &&
  !isYear(column) &&
  (isAmountPerPeriod(column) ||
    (!/(^|_)(no|nr|number|year|month|floor|zip|postcode|line|rank|position)$/i.test(column.name) &&
      !/(?:^|_)(?:number|year|month|postcode)$/.test(toEnglishName(column.name))))

/** `deleted_at` or `is_deleted` */
export function findSoftDeleteColumn(table: Table): Column | undefined {
  return table.columns.find(({ name, kind, isNullable }) => {
    const nameParts = expandNameParts(splitName(name)).filter((part) => !isGenericPart(part))
    const isDeletedName = nameParts.length === 1 && /^(?:deleted|removed)$/.test(nameParts[0] ?? '')
    return isDeletedName && (kind === 'boolean' || (isNullable && isDate({ kind })))
  })
}

const MAIN_DATE_NAME =
  /creat|order|date|_at$|_on$|time|day|when|start|schedul|book|sign|regist|join|purchas|trans|paid|issue|admit|depart/i
const LATE_DATE_NAME =
  /updat|modif|delet|ship|deliver|expir|valid|end|finish|discharg|due|birth|dob|arriv|return|cancel|clos|left|leave|retir|terminat|resign|fixed|resolv|removal|scrap|decommission/i

/** `shipped_at`, `closed_on`: a date that comes after the main one. */
export const isLateDate = ({ name }: Column): boolean =>
  LATE_DATE_NAME.test(name) || LATE_DATE_NAME.test(toEnglishName(name))

/** The date that "in March" most likely means comes first. */
export function listDateColumns(table: Table): Column[] {
  const rank = (column: Column) => rankDate(column) + (column.kind === 'date' ? 0.1 : 0)
  return table.columns.filter((column) => isDate(column)).toSorted((a, b) => rank(a) - rank(b))
}

/** `order_date` of orders. */
function isDateNamedLikeTable({ name, table }: Column): boolean {
  const tableStems = new Set(toStems(expandNameParts(splitName(table.name))))
  const nameParts = expandNameParts(splitName(name))
  return (
    nameParts.some((part) => tableStems.has(stemWord(part))) &&
    nameParts.every((part) => isGenericPart(part) || tableStems.has(stemWord(part)))
  )
}

/** Lower for dates that more likely are the main one. */
const rankDate = (column: Column): number =>
  (isDateNamedLikeTable(column) ? -0.5 : 0) +
  (isLateDate(column) ? 4 : 0) +
  (MAIN_DATE_NAME.test(toEnglishName(column.name)) ? 0 : 1) +
  (column.isNullable ? 1 : 0)

/** "claims in May": happened or reported then? */
export function hasTwoMainDates(table: Table): boolean {
  const [mainDate, secondDate] = listDateColumns(table)
  return mainDate !== undefined && secondDate !== undefined && rankDate(mainDate) === rankDate(secondDate)
}

const QUANTITY_NAME = /(^|_)(quantity|qty|units?|pieces?|count|amount_ordered)$/i
const PRICE_NAME = /(^|_)(unit_?price|price|unit_?cost|rate|price_each|priceeach|unitprice)$/i

/** The columns from which the amount of an order line is computed. */
export function findLineValueColumns(
  table: Table,
): { quantity: Column; price: Column; discount: Column | undefined } | undefined {
  const quantity = table.columns.find((column) => isNumeric(column) && QUANTITY_NAME.test(toSnake(column.name)))
  const price = table.columns.find((column) => isNumeric(column) && PRICE_NAME.test(toSnake(column.name)))
  if (!quantity || !price) return undefined
  const discount = table.columns.find(
    (column) => column.kind === 'number' && /^discount(_rate|_pct)?$/i.test(column.name),
  )
  return { quantity, price, discount }
}

const toSnake = (name: string) => name.replaceAll(/([a-z])([A-Z])/g, '$1_$2')
