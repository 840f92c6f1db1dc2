import type { Field, Value } from '@trellis/connector-kit/batch'
import type { WriteRequest } from '@trellis/connector-kit/connector'
import type { ColumnType } from '@trellis/contract/explorer/column-types'
import { type TableTarget, stagingTableName } from '../shared/table-target.ts'
import { quoteName, quoteText } from './column-kinds.ts'
import type { Link } from './link.ts'

export interface Load extends WriteRequest {
  readonly target: TableTarget
  readonly existing: ReadonlySet<string> | undefined
}

export const ORDER_COLUMN = 'trellis_order'
const OPTIONS = 'engine = InnoDB character set utf8mb4'

export function toTableName({ target, loadId }: Load, which: 'target' | 'stage' | 'old'): string {
  const stage = stagingTableName(target, loadId)
  const table = { target: target.table, stage, old: stage.replace('load', 'old') }[which]
  return `${quoteName(target.schema)}.${quoteName(table)}`
}

export async function findTarget(link: Link, { schema, table }: TableTarget): Promise<Set<string> | undefined> {
  const { rows } = await link.query(
    `select column_name from information_schema.columns where table_schema = ${quoteText(schema)} and table_name = ${quoteText(table)}`,
  )
  return rows.length > 0 ? new Set(rows.map(([name]) => String(name))) : undefined
}

export async function hasStage(link: Link, load: Load): Promise<boolean> {
  return (await findTarget(link, { ...load.target, table: stagingTableName(load.target, load.loadId) })) !== undefined
}

/** With the target's column types, so that a misfit fails at its batch and not at the end. */
export async function createStage(link: Link, load: Load): Promise<void> {
  if (await hasStage(link, load)) return
  const stage = toTableName(load, 'stage')
  const { existing, fields, strategy } = load
  if (!existing) {
    await link.query(
      `create table ${stage} (${[...toColumnDefinitions(load), ...toOrderColumn(load)].join(', ')}) ${OPTIONS}`,
    )
    return
  }
  if (strategy === 'Replace') await link.query(`create table ${stage} like ${toTableName(load, 'target')}`)
  else {
    const known = fields.filter(({ name }) => existing.has(name)).map(({ name }) => quoteName(name))
    const select = known.length > 0 ? known.join(', ') : '1 as trellis_nothing'
    await link.query(`create table ${stage} ${OPTIONS} as select ${select} from ${toTableName(load, 'target')} limit 0`)
  }
  const added = [...listMissingColumns(load), ...toOrderColumn(load)].map((column) => `add ${column}`)
  if (added.length > 0) await link.query(`alter table ${stage} ${added.join(', ')}`)
}

function toColumnDefinitions(load: Load): string[] {
  const key = load.strategy === 'Replace' ? getPrimaryKey(load) : []
  return [...load.fields.map((field) => toColumnDefinition(load, field)), ...key]
}

const toOrderColumn = ({ strategy }: Load): string[] =>
  strategy === 'Upsert' ? [`${ORDER_COLUMN} bigint not null auto_increment primary key`] : []

export const listMissingColumns = (load: Load): string[] =>
  load.fields.filter(({ name }) => !load.existing?.has(name)).map((field) => toColumnDefinition(load, field))

export function toColumnDefinition({ key, strategy }: Load, { name, type }: Field): string {
  const isKey = key.includes(name)
  const kind = isKey && (type === 'text' || type === 'json') ? 'varchar(255)' : TYPES[type]
  return `${quoteName(name)} ${kind}${isKey && strategy !== 'Append' ? ' not null' : ' null'}`
}

export function getPrimaryKey({ key, fields }: Load): string[] {
  const isThere = key.length > 0 && key.every((name) => fields.some((field) => field.name === name))
  return isThere ? [`primary key (${key.map(quoteName).join(', ')})`] : []
}

const TYPES: Record<ColumnType, string> = {
  text: 'longtext',
  integer: 'bigint',
  decimal: 'decimal(65, 20)',
  float: 'double',
  real: 'float',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'datetime(6)',
  // MySQL's timestamp ends in 2038, so instants are stored as UTC datetime.
  timestamptz: 'datetime(6)',
  time: 'time(6)',
  interval: 'varchar(64)',
  uuid: 'char(36)',
  json: 'json',
  bytea: 'longtext',
}

const toLiteralText = (value: Value): string => {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return value ? '1' : '0'
  return typeof value === 'number' ? String(value) : quoteText(value)
}

export function createValueWriter({ type }: Field): (value: Value) => string {
  if (type === 'timestamptz')
    return (value) => (typeof value === 'string' ? quoteText(toUtc(value)) : toLiteralText(value))
  if (type === 'timestamp') return (value) => toLiteralText(typeof value === 'string' ? value.replace('T', ' ') : value)
  return toLiteralText
}

const ZONE = /(Z|[+-]\d\d(?::?\d\d)?)$/

function toUtc(text: string): string {
  const zone = ZONE.exec(text)?.[1] ?? 'Z'
  const local = text.slice(0, text.length - (ZONE.test(text) ? zone.length : 0)).replace('T', ' ')
  if (zone === 'Z' || /^[+-]00(:?00)?$/.test(zone)) return local
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  const [seconds = '', fraction] = local.split('.')
  const moment = new Date(Date.parse(`${seconds.replace(' ', 'T')}Z`) - offset * 60_000)
  return `${moment.toISOString().slice(0, 19).replace('T', ' ')}${fraction === undefined ? '' : `.${fraction}`}`
}
