import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashText } from '../../../platform/git/objects.ts'
import { type Branches, type Files, followOrders, someOrders } from '../testing/branch-model.ts'
import { mergeText } from './merge-text.ts'
import { listPullBlobs, pullChanges } from './pull-changes.ts'
import { type Draft, type PublishedFile, type Tree, listPaths } from './trees.ts'

/** In memory; the merge rules are the real ones. */
function openBranches(): Branches {
  const texts = new Map<string, string>()
  const commits: Map<string, PublishedFile>[] = [new Map()]
  const people = [0, 1].map(() => ({
    base: commits[0] as Tree,
    drafts: new Map<string, Draft>(),
    conflicts: new Map<string, PublishedFile | null>(),
  }))
  let ids = 0
  const get = (person: number) => people[person] as (typeof people)[number]
  const store = (text: string) => {
    texts.set(hashText(text), text)
    return hashText(text)
  }
  const put = (person: number, fileId: string, draft: Draft) => {
    const { base, drafts } = get(person)
    const was = base.get(fileId)
    const isBaseText = was && (draft.content === null || store(draft.content) === was.blob)
    if ((isBaseText && was.path === draft.path) || (!was && draft.path === null)) drafts.delete(fileId)
    else drafts.set(fileId, isBaseText ? { ...draft, content: null } : draft)
  }
  const read = (person: number): Files => {
    const { base, drafts } = get(person)
    return new Map(
      [...listPaths(base, drafts)].map(([id, path]) => [
        id,
        { path, text: drafts.get(id)?.content ?? texts.get(base.get(id)?.blob ?? '') ?? '' },
      ]),
    )
  }
  const live = () => commits.at(-1) as Map<string, PublishedFile>
  return {
    create: async (person, { path, text }) => {
      ids += 1
      put(person, `f${ids}`, { path, content: text })
      return `f${ids}`
    },
    write: async (person, id, text) => put(person, id, { path: read(person).get(id)?.path ?? '', content: text }),
    rename: async (person, id, path) => put(person, id, { path, content: read(person).get(id)?.text ?? '' }),
    remove: async (person, id) => put(person, id, { path: null, content: null }),
    restore: async (person, id, commit) => {
      const oldPublishedFile = commits[commit]?.get(id) as PublishedFile
      put(person, id, {
        path: read(person).get(id)?.path ?? oldPublishedFile.path,
        content: texts.get(oldPublishedFile.blob) ?? '',
      })
    },
    pull: async (person) => {
      const me = get(person)
      if (me.conflicts.size > 0) return
      const input = { base: me.base, live: live(), drafts: me.drafts }
      const needed = new Map(listPullBlobs(input).map((blob) => [blob, texts.get(blob) as string]))
      const { drafts, conflicts } = pullChanges({ ...input, texts: needed })
      me.drafts = drafts
      me.base = live()
      me.conflicts = new Map(conflicts.map(({ fileId, theirs }) => [fileId, theirs]))
    },
    push: async (person) => {
      const me = get(person)
      if (me.base !== live() || me.conflicts.size > 0 || me.drafts.size === 0) return false
      commits.push(new Map([...read(person)].map(([id, { path, text }]) => [id, { path, blob: store(text) }])))
      me.drafts = new Map()
      me.base = live()
      return true
    },
    resolve: async (person, id, keep) => {
      const { conflicts, drafts } = get(person)
      if ('merged' in keep) put(person, id, { path: read(person).get(id)?.path ?? '', content: keep.merged })
      else if (keep.side === 'theirs') drafts.delete(id)
      conflicts.delete(id)
    },
    read: async (person) => read(person),
    readConflicts: async (person) => new Set(get(person).conflicts.keys()),
    readLive: async () =>
      new Map([...live()].map(([id, { path, blob }]) => [id, { path, text: texts.get(blob) ?? '' }])),
  }
}

test('nothing is lost in 1,000 interleavings of edit, pull, push, restore, delete and rename by two people', async () => {
  await fc.assert(
    fc.asyncProperty(someOrders(60), async (orders) => void (await followOrders(openBranches(), orders))),
    { numRuns: 1000 },
  )
})

const someText = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n', 'select 1;\n', '\n'), { maxLength: 12 })
  .map((lines) => lines.join(''))

test('a merge is the side that changed when only one did, and the same from both ends', () => {
  fc.assert(
    fc.property(someText, someText, someText, (base, mine, theirs) => {
      expect(mergeText({ base, mine, theirs: base })).toEqual({ text: mine, hasConflict: false })
      expect(mergeText({ base, mine: base, theirs })).toEqual({ text: theirs, hasConflict: false })
      expect(mergeText({ base, mine, theirs: mine })).toEqual({ text: mine, hasConflict: false })
      const there = mergeText({ base, mine, theirs })
      const back = mergeText({ base, mine: theirs, theirs: mine })
      expect(back.hasConflict).toBe(there.hasConflict)
      if (!there.hasConflict) expect(back.text).toBe(there.text)
    }),
    { numRuns: 500 },
  )
})

test('texts that are too far apart are a conflict, not a long wait', () => {
  const text = (word: string) => Array.from({ length: 30_000 }, (_, at) => `${word} ${at}\n`).join('')
  expect(mergeText({ base: text('a'), mine: text('b'), theirs: text('c') }).hasConflict).toBe(true)
  const blank = '\n'.repeat(100_000)
  expect(mergeText({ base: blank, mine: `${blank}end\n`, theirs: `start\n${blank}` })).toEqual({
    text: `start\n${blank}end\n`,
    hasConflict: false,
  })
})
