import { createHash } from 'node:crypto'

export type ObjectKind = 'blob' | 'tree' | 'commit' | 'tag'
export interface GitObject {
  readonly kind: ObjectKind
  readonly body: Buffer
}
export interface StoredObject extends GitObject {
  readonly id: string
}

const FILE_MODE = '100644'
const FOLDER_MODE = '40000'

function hashObject({ kind, body }: GitObject): string {
  return createHash('sha1').update(`${kind} ${body.length}\0`).update(body).digest('hex')
}

export const hashText = (text: string): string => hashObject({ kind: 'blob', body: Buffer.from(text, 'utf8') })

export const toStored = (kind: ObjectKind, body: Buffer): StoredObject => ({
  id: hashObject({ kind, body }),
  kind,
  body,
})

interface TreeEntry {
  readonly mode: string
  readonly name: string
  readonly id: string
}

/** Git compares names as bytes, a folder's as if it ended in a slash. */
function compareEntries(left: TreeEntry, right: TreeEntry): number {
  const key = ({ mode, name }: TreeEntry) => Buffer.from(mode === FOLDER_MODE ? `${name}/` : name, 'utf8')
  return Buffer.compare(key(left), key(right))
}

function formatTree(entries: readonly TreeEntry[]): Buffer {
  return Buffer.concat(
    entries
      .toSorted(compareEntries)
      .flatMap(({ mode, name, id }) => [Buffer.from(`${mode} ${name}\0`, 'utf8'), Buffer.from(id, 'hex')]),
  )
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

/** Angle brackets and line breaks would end the field early. */
const clean = (text: string) => text.replaceAll(/[<>\n\r\0]/g, ' ').trim()

export function formatCommit({ tree, parents, author, message }: CommitData): Buffer {
  const seconds = Math.floor(author.at.getTime() / 1000)
  const person = `${clean(author.name) || 'Unknown'} <${clean(author.email)}> ${seconds} +0000`
  const head = [`tree ${tree}`, ...parents.map((id) => `parent ${id}`), `author ${person}`, `committer ${person}`]
  return Buffer.from(`${head.join('\n')}\n\n${message.trimEnd()}\n`, 'utf8')
}

/** The trees of a whole project from the paths of its files, the root last. */
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
