import { createHash } from 'node:crypto'

export type ObjectKind = 'blob' | 'tree' | 'commit' | 'tag'
export interface GitObject {
  readonly kind: ObjectKind
  readonly body: Buffer
}
export interface StoredObject extends GitObject {
  readonly id: string
}

export const FILE_MODE = '100644'
export const FOLDER_MODE = '40000'

function hashObject({ kind, body }: GitObject): string {
  return createHash('sha1').update(`${kind} ${body.length}\0`).update(body).digest('hex')
}

export const hashText = (text: string): string => hashObject({ kind: 'blob', body: Buffer.from(text, 'utf8') })

export const toStored = (kind: ObjectKind, body: Buffer): StoredObject => ({
  id: hashObject({ kind, body }),
  kind,
  body,
})

export interface TreeEntry {
  readonly mode: string
  readonly name: string
  readonly id: string
}

/** Git sorts by bytes, folders as if they ended in a slash. */
function compareEntries(left: TreeEntry, right: TreeEntry): number {
  const key = ({ mode, name }: TreeEntry) => Buffer.from(mode === FOLDER_MODE ? `${name}/` : name, 'utf8')
  return Buffer.compare(key(left), key(right))
}

export function formatTree(entries: readonly TreeEntry[]): Buffer {
  return Buffer.concat(
    entries
      .toSorted(compareEntries)
      .flatMap(({ mode, name, id }) => [Buffer.from(`${mode} ${name}\0`, 'utf8'), Buffer.from(id, 'hex')]),
  )
}

export function parseTree(body: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = []
  for (let at = 0; at < body.length;) {
    const space = body.indexOf(0x20, at)
    const end = body.indexOf(0, space)
    if (space < 0 || end < 0 || end + 21 > body.length) throw new Error('a tree is cut off')
    entries.push({
      mode: body.toString('latin1', at, space),
      name: body.toString('utf8', space + 1, end),
      id: body.toString('hex', end + 1, end + 21),
    })
    at = end + 21
  }
  return entries
}

interface Signature {
  readonly name: string
  readonly email: string
  readonly at: Date
}
export interface CommitData {
  readonly tree: string
  readonly parents: readonly string[]
  readonly author: Signature
  readonly message: string
}

/** These characters would end the field. */
const removeDelimiters = (text: string) => text.replaceAll(/[<>\n\r\0]/g, ' ').trim()

export function formatCommit({ tree, parents, author, message }: CommitData): Buffer {
  const seconds = Math.floor(author.at.getTime() / 1000)
  const person = `${removeDelimiters(author.name) || 'Unknown'} <${removeDelimiters(author.email)}> ${seconds} +0000`
  const head = [`tree ${tree}`, ...parents.map((id) => `parent ${id}`), `author ${person}`, `committer ${person}`]
  return Buffer.from(`${head.join('\n')}\n\n${message.trimEnd()}\n`, 'utf8')
}

/** Linear in a line of any length: it comes from a client. */
const AUTHOR = /^([^<]*)<([^<>]*)> (\d+)/

export function parseCommit(body: Buffer): CommitData {
  const text = body.toString('utf8')
  const split = text.indexOf('\n\n')
  const lines = (split < 0 ? text : text.slice(0, split)).split('\n')
  const values = (name: string) =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))
  const [tree] = values('tree')
  const [, name = '', email = '', seconds = '0'] = AUTHOR.exec(values('author')[0] ?? '') ?? []
  if (tree === undefined || !/^[0-9a-f]{40}$/.test(tree)) throw new Error('a commit has no tree')
  return {
    tree,
    parents: values('parent'),
    author: { name: name.trimEnd(), email, at: new Date(Number(seconds) * 1000) },
    message: split < 0 ? '' : text.slice(split + 2).trimEnd(),
  }
}

export function buildTrees(files: ReadonlyMap<string, string>): { root: string; trees: StoredObject[] } {
  interface Node {
    readonly files: TreeEntry[]
    readonly folders: Map<string, Node>
  }
  const top: Node = { files: [], folders: new Map() }
  for (const [path, id] of files) {
    const names = path.split('/')
    const name = names.pop() ?? ''
    let node = top
    for (const folder of names) {
      const inside = node.folders.get(folder) ?? { files: [], folders: new Map<string, Node>() }
      node.folders.set(folder, inside)
      node = inside
    }
    node.files.push({ mode: FILE_MODE, name, id })
  }
  const trees: StoredObject[] = []
  const write = (node: Node): string => {
    const folders = [...node.folders].map(([name, inside]) => ({ mode: FOLDER_MODE, name, id: write(inside) }))
    const tree = toStored('tree', formatTree([...node.files, ...folders]))
    trees.push(tree)
    return tree.id
  }
  return { root: write(top), trees }
}
