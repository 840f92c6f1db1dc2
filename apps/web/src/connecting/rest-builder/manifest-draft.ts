import { RestManifest, type RestStream } from '@trellis/contract/integrations/rest-manifest'
import * as z from 'zod/mini'

export interface Fault {
  path: string
  message: string
}

export const createStream = (name: string): RestStream => ({
  name,
  request: { method: 'GET', path: `/${name}` },
  records: '',
  paginate: { type: 'none' },
})

export const emptyManifest = (): RestManifest => ({
  version: 1,
  base_url: '',
  inputs: [],
  auth: { type: 'none' },
  streams: [createStream('records')],
})

export function toManifest(value: unknown): RestManifest | null {
  return typeof value === 'object' && value !== null && 'streams' in value ? (value as RestManifest) : null
}

export function getValueAtPath(value: unknown, path: string): unknown {
  if (path === '') return value
  return path
    .split('.')
    .reduce<unknown>(
      (node, part) => (node === null ? undefined : (node as Record<string, unknown> | undefined)?.[part]),
      value,
    )
}

/** Immutable update of one path; undefined removes it. */
export function withIn<T>(value: T, path: string, next: unknown): T {
  const [first = '', ...rest] = path.split('.')
  const inner = rest.length === 0 ? next : withIn(getValueAtPath(value, first) ?? {}, rest.join('.'), next)
  if (Array.isArray(value)) {
    return (inner === undefined ? value.toSpliced(Number(first), 1) : value.with(Number(first), inner)) as T
  }
  const { [first]: _old, ...others } = value as Record<string, unknown>
  return (inner === undefined ? others : { ...(value as object), [first]: inner }) as T
}

/** `streams[0].records`, `/streams/0/records` and `streams.0.records` are the same path. */
export const plainPath = (path: string): string =>
  path
    .replaceAll(/\[(\w+)\]/g, '.$1')
    .replaceAll('/', '.')
    .replace(/^\.|\$\./, '')

export function findSchemaFaults(manifest: unknown): Fault[] {
  const parsed = z.safeParse(RestManifest, manifest)
  if (parsed.success) return []
  return parsed.error.issues.map(({ path, code, message }) => {
    const fieldPath = path.join('.')
    return { path: fieldPath, message: wordsFor(fieldPath, code ?? '', message) }
  })
}

function wordsFor(path: string, code: string, message: string): string {
  if (/^streams$/.test(path)) return 'A source needs at least one stream.'
  if (path.endsWith('.name') && code === 'invalid_format')
    return 'Use small letters, digits and _, beginning with a letter.'
  if (path.endsWith('.reference')) return 'Use small letters, digits and _, beginning with a letter.'
  if (code === 'invalid_format') return 'Write a path such as data.items, or leave it empty.'
  if (code === 'invalid_type') return 'Fill this in.'
  return message
}

/** Valid in the schema, but no source works with them. */
function findEmptyFaults(manifest: RestManifest): Fault[] {
  const required = [
    'base_url',
    ...manifest.streams.map((_, index) => `streams.${index}.name`),
    ...(AUTH_TEXTS[manifest.auth.type] ?? []).map((name) => `auth.${name}`),
  ]
  const faults = required
    .filter((path) => (getValueAtPath(manifest, path) as string | undefined)?.trim() === '')
    .map((path) => ({ path, message: 'Required field' }))
  const url = manifest.base_url
  if (url !== '' && !url.startsWith('{{') && !/^https?:\/\/[^/\s]+/.test(url)) {
    faults.push({ path: 'base_url', message: 'Write a whole address, such as https://api.example.com.' })
  }
  const names = manifest.streams.map(({ name }) => name)
  names.forEach((name, index) => {
    if (name !== '' && names.indexOf(name) !== index) {
      faults.push({ path: `streams.${index}.name`, message: 'Another stream has this name.' })
    }
  })
  return faults
}

const AUTH_TEXTS: Partial<Record<RestManifest['auth']['type'], string[]>> = {
  bearer: ['token'],
  basic: ['username'],
  api_key: ['name', 'value'],
}

export function findManifestFaults(value: unknown): Fault[] {
  const schema = findSchemaFaults(value)
  const manifest = toManifest(value)
  const all = [...(manifest && schema.length === 0 ? findEmptyFaults(manifest) : []), ...schema]
  return all.filter(({ path }, index) => all.findIndex((fault) => fault.path === path) === index)
}
