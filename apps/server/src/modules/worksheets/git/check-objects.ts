import { isUtf8 } from 'node:buffer'
import { findNameProblem } from '@trellis/contract/worksheets/file-names'
import { MAX_FILES, MAX_FILE_BYTES, MAX_FOLDER_DEPTH } from '@trellis/contract/worksheets/worksheets.schemas'
import {
  FILE_MODE,
  FOLDER_MODE,
  type StoredObject,
  formatTree,
  parseCommit,
  parseTree,
} from '../../../platform/git/objects.ts'
import { PackProblem } from '../../../platform/git/read-pack.ts'
import { listFolders, toPathKey } from '../merge/paths.ts'

export function checkObjects(objects: readonly StoredObject[]): void {
  for (const { kind, body } of objects) {
    if (kind === 'blob') checkBlob(body)
    else if (kind === 'tree') checkTree(body)
    else if (kind === 'commit') checkCommit(body)
    else throw new PackProblem('Tags are not kept here. Push branches only.')
  }
}

function checkBlob(body: Buffer): void {
  if (body.length > MAX_FILE_BYTES) throw new PackProblem('A file may have at most 1 MB.')
  if (body.includes(0) || !isUtf8(body)) throw new PackProblem('A file may hold text in UTF-8 only.')
}

function checkCommit(body: Buffer): void {
  try {
    parseCommit(body)
  } catch {
    throw new PackProblem('A commit can not be read.')
  }
}

function checkTree(body: Buffer): void {
  const entries = readTree(body)
  const names = new Set<string>()
  for (const { mode, name } of entries) {
    if (mode !== FILE_MODE && mode !== FOLDER_MODE) {
      throw new PackProblem(`${name}: only plain files are kept, no links, submodules or executables.`)
    }
    const problem = name.includes('\uFFFD') ? 'Name is not UTF-8' : findNameProblem(name)
    if (problem !== undefined) throw new PackProblem(`${name}: ${problem}.`)
    const key = toPathKey(name)
    if (names.has(key)) throw new PackProblem(`${name}: another file differs only in upper and lower case.`)
    names.add(key)
  }
}

function readTree(body: Buffer) {
  try {
    const entries = parseTree(body)
    if (formatTree(entries).equals(body)) return entries
  } catch {}
  throw new PackProblem('A tree is not as git writes it.')
}

export function checkPaths(files: ReadonlyMap<string, string>): void {
  if (files.size > MAX_FILES) throw new PackProblem(`A project can have ${MAX_FILES} files.`)
  for (const path of files.keys()) {
    if (listFolders(path).length > MAX_FOLDER_DEPTH) {
      throw new PackProblem(`${path}: folders may be ${MAX_FOLDER_DEPTH} deep.`)
    }
  }
}
