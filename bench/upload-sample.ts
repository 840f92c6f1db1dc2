import { PART_BYTES } from '@trellis/contract/uploads/uploads.schemas'

const COLUMNS = [
  'id bigint',
  'customer text',
  'city text',
  'sku text',
  'status text',
  'channel text',
  'amount numeric',
  'quantity bigint',
  'is_gift boolean',
  'ordered_at timestamptz',
  'due date',
  'note text',
]
export const SAMPLE_COLUMNS = COLUMNS.join(', ')
const HEADER = `${COLUMNS.map((column) => column.split(' ')[0]).join(',')}\n`
const CITIES = ['Berlin', 'São Paulo', '大阪', 'Oslo', 'New York', 'Łódź']
const NOTES = [
  '',
  '',
  'fragile',
  '"says ""handle with care"""',
  '"left at door, ring twice"',
  '"first line\nsecond line"',
]

function line(id: number): string {
  // Deterministic.
  const seed = (Math.imul(id, 2_654_435_761) >>> 0) % 1_000_003
  const pick = <T>(list: readonly T[], by: number) => list[(seed + by) % list.length] as T
  const day = String((seed % 28) + 1).padStart(2, '0')
  return `${id},Customer number ${seed},${pick(CITIES, 1)},SKU-${seed * 7}-${id % 97},${pick(['open', 'paid', 'sent', 'back'], 2)},web shop,${(seed / 100).toFixed(2)},${seed % 50},${seed % 3 === 0},2024-0${(seed % 9) + 1}-${day}T12:${day}:01Z,2024-11-${day},${pick(NOTES, 3)}\n`
}

export function* sampleParts(megabytes: number): Generator<Buffer> {
  let rest = Buffer.from(HEADER)
  let left = megabytes * 1024 * 1024
  let id = 0
  while (left > 0) {
    let text = ''
    while (text.length < PART_BYTES) text += line((id += 1))
    rest = Buffer.concat([rest, Buffer.from(text)])
    while (rest.length >= PART_BYTES) {
      yield rest.subarray(0, PART_BYTES)
      left -= PART_BYTES
      rest = rest.subarray(PART_BYTES)
    }
  }
  if (rest.length > 0) yield rest
}
