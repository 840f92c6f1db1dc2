import { SourceChanged } from '@trellis/connector-kit/source-changed'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { Simulator, WriteRequest } from '@trellis/connector-kit/connector'
import { testConformance } from '@trellis/connector-kit/testing/conformance'
import { readAll } from '@trellis/connector-kit/testing/read-all'
import { createTestContext } from '@trellis/connector-kit/testing/test-context'
import type { TestContextOptions } from '@trellis/connector-kit/testing/test-context'
import { describe, expect, it } from 'vitest'
import { googleSheets } from './connector.ts'
import { createSampleStore, refuseRequest, simulator } from './simulator.ts'
import { answerSheets } from './simulator-store.ts'
import type { SheetStore } from './simulator-store.ts'

const at = (id: string) => ({ spreadsheet: { address: `https://docs.google.com/spreadsheets/d/${id}/edit#gid=0` } })
const values = at('sheet-12345')
const sheet = (name: string, header_row = 1) => ({ sheet: { name, header_row } })

/** Not in the answer with the header. */
const findRecords = (body: unknown) => {
  const { values: rows } = body as { values?: unknown[][] }
  return rows?.[0]?.[0] === 'order' ? undefined : rows
}
const malformed = {
  records: [null, 'no row', 7, { city: 'Graz' }, [['nested']], true],
  reason: /^The row is not a list of values\.$/,
}

testConformance(googleSheets, [
  { name: 'a sheet of several requests', values, query: sheet('Orders'), minBatches: 3, findRecords, malformed },
  { name: 'names in the second row', values, query: sheet("Shop's prices", 2) },
])

const createContext = (options: TestContextOptions = {}) => createTestContext({ values, simulator, ...options })
const catchFailure = async (
  query: ReturnType<typeof sheet>,
  options: TestContextOptions = {},
): Promise<ConnectorError> => {
  const error = await readAll(googleSheets, createContext(options), { query }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConnectorError)
  return error as ConnectorError
}
const kept =
  (store: SheetStore): Simulator =>
  async (request, host) =>
    (await refuseRequest(request, host)) ?? answerSheets(request, store)

describe('reading', () => {
  it('takes names from the header and kinds from all cells', async () => {
    const { fields, rows } = await readAll(googleSheets, createContext(), { query: sheet('Orders') })
    expect(fields.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'row_number integer',
      'order integer',
      'day date',
      'city text',
      'amount float',
      'paid boolean',
      'note text',
    ])
    expect(rows).toHaveLength(1800)
    expect(rows[0]?.slice(0, 3)).toEqual([2, 1, '2026-01-01'])
  })

  it('names columns without a name and columns named twice, and leaves out empty rows', async () => {
    const { fields, rows } = await readAll(googleSheets, createContext(), { query: sheet("Shop's prices", 2) })
    expect(fields.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'row_number integer',
      'article text',
      'price integer',
      'price_2 text',
      'column_d text',
    ])
    expect(rows).toEqual([
      [3, 'coat', 120, '99.5', 'sale'],
      [5, 'boots', 80, 'ask', null],
    ])
  })

  it('hands over nothing when nothing changed, and everything when one cell did', async () => {
    const store = createSampleStore(false)
    const query = sheet('Orders')
    const first = await readAll(googleSheets, createContext({ simulator: kept(store) }), { query })
    const state = first.finalState ?? {}
    expect(state).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect((await readAll(googleSheets, createContext({ simulator: kept(store) }), { query, state })).rows).toEqual([])
    const [orders] = store.sheets
    if (orders?.cells[9]) orders.cells[9][3] = 1
    const again = await readAll(googleSheets, createContext({ simulator: kept(store) }), { query, state })
    expect(again.rows).toHaveLength(1800)
    expect(again.finalState).not.toEqual(state)
  })

  it('does not go on in a sheet that changed since the read was broken off', async () => {
    const store = createSampleStore(false)
    const query = sheet('Orders')
    const { batches } = await readAll(googleSheets, createContext({ simulator: kept(store) }), { query })
    const state = batches[0]?.state ?? {}
    expect(state).toHaveProperty('row')
    const [orders] = store.sheets
    if (orders?.cells[9]) orders.cells[9][3] = 1
    const again = readAll(googleSheets, createContext({ simulator: kept(store) }), { query, state })
    await expect(again).rejects.toThrow(SourceChanged)
  })

  it('fetches only the first rows for a look', async () => {
    const context = createContext()
    const { rows } = await readAll(googleSheets, context, { query: sheet('Orders'), limit: 5 })
    expect(rows).toHaveLength(5)
    expect(context.requests).toHaveLength(2)
    expect(decodeURIComponent(context.requests[1]?.url ?? '')).toContain('!A1:Z6')
  })
})

describe('what can be wrong', () => {
  it('tells apart a wrong address, a missing right, a switched-off API and a missing sheet', async () => {
    const all = [
      await catchFailure(sheet('Orders'), { values: at('missing-sheet') }),
      await catchFailure(sheet('Orders'), { tokens: ['stranger'] }),
      await catchFailure(sheet('Orders'), { values: at('disabled-api') }),
      await catchFailure(sheet('Order')),
      await catchFailure(sheet('Empty')),
      await catchFailure(sheet('Orders'), { values: { spreadsheet: { address: '' } } }),
    ]
    expect(all.every(({ kind }) => kind === 'configuration')).toBe(true)
    expect(new Set(all.map(({ message }) => message)).size).toBe(6)
    expect(all.map(({ field }) => field)).toEqual([
      'spreadsheet.address',
      'spreadsheet.address',
      'app.client_id',
      'sheet.name',
      'sheet.header_row',
      'spreadsheet.address',
    ])
    expect(all[3]?.advice).toBe("Choose Orders, Shop's prices or Empty.")
  })
})

describe('writing', () => {
  const fields: WriteRequest['fields'] = [
    { name: 'id', type: 'integer', isNullable: false },
    { name: 'city', type: 'text', isNullable: true },
  ]
  const request = (name: string, strategy: 'Append' | 'Replace', loadId = 'load-1'): WriteRequest => ({
    query: { sheet: { name } },
    fields,
    key: [],
    strategy,
    loadId,
  })
  const openWith = async (store: SheetStore, wantedWriteRequest: WriteRequest, options: TestContextOptions = {}) => {
    const writer = await googleSheets.destination?.open(
      createContext({ simulator: kept(store), ...options }),
      wantedWriteRequest,
    )
    if (!writer) throw new Error('Google Sheets is a destination')
    return writer
  }
  const rowsBatch = (...rows: (string | number | null)[][]) => ({ kind: 'rows' as const, rows })
  const getCells = (store: SheetStore, title: string) =>
    store.sheets.find((candidate) => candidate.title === title)?.cells
  const titles = (store: SheetStore) => store.sheets.map(({ title }) => title)

  it('shows nothing before the end, and then everything, in a new sheet', async () => {
    const store = createSampleStore(false)
    const writer = await openWith(store, request('Loaded', 'Replace'))
    await writer.write(rowsBatch(['1', 'Graz'], ['12345678901234567', '=1+1']))
    await writer.write(rowsBatch([3, null]))
    expect(getCells(store, 'Loaded')).toEqual([])
    expect(await writer.finish()).toEqual({ rows: 3 })
    expect(getCells(store, 'Loaded')).toEqual([
      ['id', 'city'],
      [1, 'Graz'],
      ['12345678901234567', '=1+1'],
      [3, ''],
    ])
    expect(titles(store).filter((title) => title.startsWith('_trellis_'))).toEqual([])
  })

  it('replaces what was there and leaves it when abandoned', async () => {
    const store = createSampleStore(false)
    const given = structuredClone(getCells(store, 'Orders'))
    const abandoned = await openWith(store, request('Orders', 'Replace'))
    await abandoned.write(rowsBatch([1, 'Graz']))
    await abandoned.abandon()
    expect(getCells(store, 'Orders')).toEqual(given)
    const writer = await openWith(store, request('Orders', 'Replace'))
    await writer.write(rowsBatch([1, 'Graz']))
    await writer.finish()
    expect(getCells(store, 'Orders')).toEqual([
      ['id', 'city'],
      [1, 'Graz'],
    ])
  })

  it('appends below the last row by the names of the columns, and adds columns that are new', async () => {
    const store = createSampleStore(false)
    const writer = await openWith(store, request('Orders', 'Append'))
    await writer.write(rowsBatch([7, 'Bonn']))
    await writer.finish()
    const cells = getCells(store, 'Orders') ?? []
    expect(cells[0]).toEqual(['order', 'day', 'city', 'amount', 'paid', 'note', 'id'])
    expect(cells).toHaveLength(1802)
    expect(cells.at(-1)).toEqual(['', '', 'Bonn', '', '', '', 7])
  })

  it('writes lines of COPY as it writes rows', async () => {
    const store = createSampleStore(false)
    const writer = await openWith(store, request('Loaded', 'Append'))
    const bytes = new TextEncoder().encode('1\tto\\tb\n2\t\\N\n')
    await writer.write({ kind: 'copy', bytes, rowCount: 2 })
    await writer.finish()
    expect(getCells(store, 'Loaded')).toEqual([
      ['id', 'city'],
      [1, 'to\tb'],
      [2, ''],
    ])
  })

  it('changes nothing when a finished load is tried again, and begins anew after one that broke off', async () => {
    const store = createSampleStore(false)
    const broken = await openWith(store, request('Orders', 'Append'))
    await broken.write(rowsBatch([1, 'lost'], [2, 'lost']))
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const writer = await openWith(store, request('Orders', 'Append'))
      await writer.write(rowsBatch([1, 'Graz']))
      expect(await writer.finish()).toEqual({ rows: 1 })
    }
    expect(getCells(store, 'Orders')).toHaveLength(1802)
    const other = await openWith(store, request('Orders', 'Append', 'load-2'))
    await other.write(rowsBatch([2, 'Lyon']))
    await other.finish()
    expect(getCells(store, 'Orders')).toHaveLength(1803)
  })

  it('is not fooled by an answer that was lost after the work was done', async () => {
    const store = createSampleStore(false)
    let isLost = false
    const losing: Simulator = async (asked, host) => {
      const isLast =
        asked.url.endsWith(':batchUpdate') && (await asked.clone().text()).includes('createDeveloperMetadata')
      const answer = await kept(store)(asked, host)
      if (!isLast || isLost) return answer
      isLost = true
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }) })
    }
    const writer = await openWith(store, request('Orders', 'Append'), { simulator: losing })
    await writer.write(rowsBatch([1, 'Graz']))
    expect(await writer.finish()).toEqual({ rows: 1 })
    expect(isLost).toBe(true)
    expect(getCells(store, 'Orders')).toHaveLength(1802)
  })

  it('asks for the right to write', async () => {
    await expect(
      openWith(createSampleStore(false), request('New', 'Append'), { values: at('readonly-sheet') }),
    ).rejects.toMatchObject({
      kind: 'configuration',
      advice: expect.stringContaining('Editor'),
    })
  })

  it('works on the simulator of the product, which forgets', async () => {
    const writer = await openWith(createSampleStore(false), request('Anything', 'Replace'), { simulator })
    await writer.write(rowsBatch([1, 'Graz']))
    expect(await writer.finish()).toEqual({ rows: 1 })
  })
})
