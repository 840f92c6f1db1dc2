import { badParam } from './api-error.ts'

type FormValue = string | FormTree | FormValue[]
export interface FormTree {
  [name: string]: FormValue
}

const MAX_DEPTH = 8

export function readForm(text: string): FormTree {
  const tree: FormTree = Object.create(null) as FormTree
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split('[').map((part, at) => (at === 0 ? part : part.replace(/\]$/, '')))
    if (path.length > MAX_DEPTH || path.some((part) => part === '__proto__'))
      throw badParam(name, `Invalid parameter: ${name}`)
    put(tree, path, value)
  }
  return tree
}

function put(tree: FormTree, path: string[], value: string): void {
  const [head = '', ...rest] = path
  const key = head === '' ? String(Object.keys(tree).length) : head
  if (rest.length === 0) {
    tree[key] = value
    return
  }
  const below = tree[key]
  const next = typeof below === 'object' && !Array.isArray(below) ? below : (Object.create(null) as FormTree)
  tree[key] = next
  put(next, rest, value)
}

export function getBranch(tree: FormTree, name: string): FormTree | undefined {
  const value = tree[name]
  return typeof value === 'object' && !Array.isArray(value) ? value : undefined
}

function listMembers(tree: FormTree, name: string): FormValue[] {
  return Object.values(getBranch(tree, name) ?? {})
}

export function listBranches(tree: FormTree, name: string): FormTree[] {
  return listMembers(tree, name).filter((value) => typeof value === 'object' && !Array.isArray(value)) as FormTree[]
}

export function getTexts(tree: FormTree, name: string): string[] {
  return listMembers(tree, name).filter((value) => typeof value === 'string')
}

export function getText(tree: FormTree, name: string): string | undefined {
  const value = tree[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Present, even if empty: an empty value clears a field. */
export function has(tree: FormTree, name: string): boolean {
  return tree[name] !== undefined
}

export function getRequiredText(tree: FormTree, name: string): string {
  const value = getText(tree, name)
  if (value === undefined) throw badParam(name, `Missing required param: ${name}.`)
  return value
}

export function getWholeNumber(tree: FormTree, name: string): number | undefined {
  const value = getText(tree, name)
  if (value === undefined) return undefined
  if (!/^-?\d{1,12}$/.test(value)) throw badParam(name, `Invalid integer: ${value}`)
  return Number(value)
}

export function getBoolean(tree: FormTree, name: string): boolean | undefined {
  const value = getText(tree, name)
  if (value === undefined) return undefined
  if (value !== 'true' && value !== 'false') throw badParam(name, `Invalid boolean: ${value}`)
  return value === 'true'
}

export function mergeMetadata(tree: FormTree, old: Record<string, string> = {}): Record<string, string> {
  const merged = { ...old }
  for (const [key, value] of Object.entries(getBranch(tree, 'metadata') ?? {})) {
    if (value === '') delete merged[key]
    else if (typeof value === 'string') merged[key] = value
  }
  return merged
}
