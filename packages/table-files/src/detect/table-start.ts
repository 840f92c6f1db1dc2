import { ALL_KINDS } from '../values/kinds.ts'
import { detectKinds } from '../values/value-kinds.ts'

export interface StartRow {
  readonly line: number
  readonly cells: readonly (string | null)[]
  readonly kinds?: readonly number[]
}

export interface TableStart {
  /** Lines before the header, or before the first row. */
  readonly skip: number
  readonly hasHeader: boolean
  readonly isUnsure: boolean
  readonly titles: readonly string[]
  /** Joined from two header rows, if one groups the columns of the other. */
  readonly names?: readonly string[]
  readonly tableAbove?: string
}

const MAX_TITLE_ROWS = 30
const BODY_ROWS = 200

export function findTableStart(rows: readonly StartRow[], width: number): TableStart {
  const full = findFirstFull(rows, width)
  const isGrouped = isGroupRow(rows[full], rows[full + 1], rows[full + 2])
  const at = isGrouped ? full + 1 : full
  const first = rows[at]
  if (!first) return { skip: 0, hasHeader: true, isUnsure: false, titles: [] }
  const titles = rows.slice(0, at).map(({ cells }) => cells.filter((cell) => !isEmpty(cell)).join(' '))
  const body = rows.slice(at + 1, at + 1 + BODY_ROWS)
  const header = scoreHeader(first, body, width)
  const before = rows[at - 1]
  const group = isGrouped ? rows[full] : rows.slice(0, at).findLast(({ line }) => line === first.line - 1)
  const names = header.hasHeader && group ? joinNames(group, first, width) : undefined
  const above = findTableAbove(rows.slice(0, full), body.length)
  return {
    skip: before || first.line > 1 ? first.line - 1 : 0,
    ...header,
    titles: isGrouped ? titles.slice(0, -1) : titles,
    ...(names && { names }),
    ...(above && { tableAbove: above.cells.filter((cell) => !isEmpty(cell)).join(', ') }),
  }
}

/** A narrower table with a header and rows, rather than a title. */
function findTableAbove(above: readonly StartRow[], bodyRows: number): StartRow | undefined {
  if (bodyRows === 0) return above[0]
  return above.find((row, at) => {
    const next = above[at + 1]
    const count = countFilledCells(row)
    if (count < 2 || textCells(row) < count || next?.line !== row.line + 1 || countFilledCells(next) !== count)
      return false
    const firstValue = next.cells.findIndex((cell) => !isEmpty(cell))
    return textCells(next) < count && (count > 2 || getKindsAt(next, firstValue) !== 0)
  })
}

/** A group header has gaps that the next row fills. */
function isGroupRow(first: StartRow | undefined, next: StartRow | undefined, then: StartRow | undefined): boolean {
  if (!first || !next || !then || next.line !== first.line + 1) return false
  const isText = nameCells(first) === countFilledCells(first) && nameCells(next) === countFilledCells(next)
  const fills = next.cells.some((cell, at) => !isEmpty(cell) && isEmpty(first.cells[at]))
  return (
    isText &&
    fills &&
    countFilledCells(first) < Math.max(first.cells.length, next.cells.length) &&
    textCells(then) < countFilledCells(then)
  )
}

/** Prefixes duplicate or empty names with their group. */
function joinNames(group: StartRow, { cells }: StartRow, width: number): string[] | undefined {
  const own = Array.from({ length: width }, (_, at) => (cells[at] ?? '').trim())
  const isTwice = (name: string) => own.indexOf(name) !== own.lastIndexOf(name)
  if (!own.some((name) => name === '' || isTwice(name)) || countFilledCells(group) < 2) return undefined
  let last = ''
  return own.map((name, at) => {
    const above = (group.cells[at] ?? '').trim()
    if (above !== '') last = above
    if (name === '') return above
    return isTwice(name) && last !== '' ? `${last} ${name}` : name
  })
}

const isEmpty = (cell: string | null | undefined) => cell === null || cell === undefined || cell.trim() === ''
const countFilledCells = ({ cells }: StartRow) => cells.reduce((count, cell) => count + (isEmpty(cell) ? 0 : 1), 0)

/** Titles and notes fill less than half of the columns. */
function findFirstFull(rows: readonly StartRow[], width: number): number {
  if (width < 2) return 0
  const limit = Math.min(rows.length, MAX_TITLE_ROWS)
  const most = Math.max(...rows.slice(0, limit + BODY_ROWS).map(countFilledCells), 1)
  const usual = Math.min(width, most)
  for (let at = 0; at < limit; at += 1) {
    const row = rows[at] as StartRow
    if (countFilledCells(row) * 2 > usual && !isPairAbove(rows, at, usual) && !isWiderAbove(rows, at, width)) return at
  }
  return 0
}

function isWiderAbove(rows: readonly StartRow[], at: number, width: number): boolean {
  const [row, next, then] = rows.slice(at, at + 3)
  if (!row || !next || !then || row.cells.length <= width || next.cells.length !== width) return false
  const isNames = countFilledCells(next) === width && textCells(next) === width
  return isNames && textCells(row) < countFilledCells(row) && textCells(then) < countFilledCells(then)
}

/** `Created: 2024-01-01` fills half of a narrow table. */
function isPairAbove(rows: readonly StartRow[], at: number, usual: number): boolean {
  const row = rows[at] as StartRow
  if (usual < 3 || countFilledCells(row) > 2) return false
  const [label] = row.cells
  if (countFilledCells(row) === usual) return false
  return (
    /:\s*$/.test(label ?? '') ||
    rows.slice(at + 1, at + 4).some((next) => countFilledCells(next) === usual && textCells(next) === usual)
  )
}

const nameCells = (row: StartRow) =>
  row.cells.filter((cell, at) => !isEmpty(cell) && (getKindsAt(row, at) === 0 || isYear(cell?.trim() ?? ''))).length

const textCells = (row: StartRow) => row.cells.filter((cell, at) => !isEmpty(cell) && getKindsAt(row, at) === 0).length

function getKindsAt(row: StartRow, at: number): number {
  const cell = row.cells[at]
  if (cell === null || cell === undefined) return ALL_KINDS
  const text = cell.trim()
  return (row.kinds?.[at] ?? detectKinds(text)) & ALL_KINDS
}

/** Concatenated files repeat the header, which must not count against it. */
function scoreHeader(first: StartRow, body: readonly StartRow[], width: number) {
  const rest = body.filter(({ cells }) => !isSame(cells, first.cells))
  if (rest.length > 0 && rest.length < body.length) {
    const judged = detectHeader(first, rest, width)
    if (judged.hasHeader && !judged.isUnsure) return judged
  }
  return detectHeader(first, body, width)
}

const isSame = (a: StartRow['cells'], b: StartRow['cells']) =>
  a.length === b.length && a.every((cell, at) => withoutMark(cell) === withoutMark(b[at]))

const withoutMark = (cell: string | null | undefined) => (cell ?? '').replace(/^\ufeff/, '')

function detectHeader(first: StartRow, body: readonly StartRow[], width: number) {
  const votes = { contrast: 0, fitting: 0, typed: 0, names: 0, repeated: 0 }
  for (let at = 0; at < width; at += 1) if (!isEmpty(first.cells[at])) scoreCell(votes, { first, body, at })
  if (countFilledCells(first) === 0) return { hasHeader: false, isUnsure: false }
  const { contrast, fitting, typed, names, repeated } = votes
  if (typed > 0) return { hasHeader: contrast > 0 && fitting === 0, isUnsure: contrast > 0 && fitting > 0 }
  if (names === 0) return { hasHeader: false, isUnsure: true }
  const isWords = contrast === 0 && repeated > 0 && body.length > 1
  return { hasHeader: !isWords, isUnsure: contrast === 0 }
}

type Votes = Record<'contrast' | 'fitting' | 'typed' | 'names' | 'repeated', number>

/** Years can be column names, but only next to other names. */
function scoreCell(
  votes: Votes,
  { first, body, at }: { first: StartRow; body: readonly StartRow[]; at: number },
): void {
  const text = (first.cells[at] ?? '').trim()
  const own = isAnswer(text) && !first.kinds?.[at] ? 0 : getKindsAt(first, at)
  if (own === 0) votes.names += 1
  else if (!isYear(text)) votes.typed += 1
  const { kinds, values } = bodyKinds(body, at)
  if (values === 0) return
  if (own === 0 && kinds === 0)
    scoreShape(
      votes,
      text,
      body.map(({ cells }) => cells[at]?.trim() ?? ''),
    )
  if (kinds !== 0 && (kinds & own) === 0) votes.contrast += 1
  else if (kinds !== 0 && !isYear(text)) votes.fitting += 1
  if (own === 0 && body.some((row) => row.cells[at]?.trim() === text)) votes.repeated += 1
}

/** Codes such as `+49 170 123` have no type, but are no names if the values below look alike. */
function scoreShape(votes: Votes, text: string, cells: readonly string[]): void {
  const shapes = cells.filter((cell) => cell !== '').map(toShape)
  const own = toShape(text)
  const [first = ''] = shapes
  if (!isCode(first) || shapes.filter((shape) => shape === first).length * 5 < shapes.length * 4) return
  if (own === first) {
    votes.names -= 1
    votes.typed += 1
    votes.fitting += 1
  } else if (!isCode(own)) votes.contrast += 1
}

/** `name 2` is a name, `0552/6296` is not. */
const isCode = (shape: string) => /^[^a]*9/.test(shape) || shape.split('9').length > 2
const toShape = (text: string) =>
  text
    .replace(/^[+-](?=\d)/, '')
    .replaceAll(/\d+/g, '9')
    .replaceAll(/\p{L}+/gu, 'a')

/** "n", "on" and "inf" may be names or values. */
const isAnswer = (text: string) => /^(?:t|f|y|n|yes|no|on|off|true|false|inf|infinity|nan)$/i.test(text)
const isYear = (text: string) => /^(?:19|20)\d\d$/.test(text)

function bodyKinds(body: readonly StartRow[], at: number): { kinds: number; values: number } {
  let kinds = ALL_KINDS
  let values = 0
  let misfits = 0
  for (const row of body) {
    if (isEmpty(row.cells[at])) continue
    values += 1
    const own = getKindsAt(row, at)
    if ((kinds & own) === 0) misfits += 1
    else kinds &= own
  }
  return { kinds: misfits * 10 > values ? 0 : kinds, values }
}
