import type { FlowAsFile } from './export-yaml.ts'
import type { FlowFile } from '@trellis/dataflow-engine/flow-file/flow-file'
import type { FileProblem, FindLine } from '@trellis/dataflow-engine/flow-file/read-flow-file'

/** Splits the dataflow into parts that the file mentions and the rest. */
export function splitKept(
  previous: FlowFile | undefined,
  file: FlowFile,
): { present: FlowFile | undefined; kept: string[] } {
  if (!previous) return { present: undefined, kept: [] }
  const blocks = splitByKeys(previous.blocks, file.blocks)
  const groups = splitByKeys(previous.groups, file.groups)
  return {
    present: { ...previous, blocks: blocks.present, groups: groups.present },
    kept: [...groups.names.map((name) => `Group "${name}"`), ...blocks.names.map((name) => `Block "${name}"`)],
  }
}

function splitByKeys<T extends { readonly name: string }>(
  previous: Readonly<Record<string, T>> = {},
  file: Readonly<Record<string, unknown>> = {},
): { present: Record<string, T>; names: string[] } {
  const isInFile = ([key]: readonly [string, T]) => Object.hasOwn(file, key)
  const entries = Object.entries(previous)
  return {
    present: Object.fromEntries(entries.filter(isInFile)),
    names: entries.filter((entry) => !isInFile(entry)).map(([, { name }]) => name),
  }
}

export function findClashes(
  { blocks: rows }: FlowAsFile,
  { blocks = {} }: FlowFile,
  findLine: FindLine,
): FileProblem[] {
  return Object.entries(blocks).flatMap(([key, { name, kind }]) => {
    const row = rows.get(key)
    if (row && row.kind !== kind)
      return [
        {
          line: findLine(['blocks', key, 'kind']),
          message: `"${key}" is a ${row.kind} in the dataflow. Give the ${kind} a key of its own, or allow deleting what is not in the file (--prune): its runs and where it stands in its source go with it.`,
        },
      ]
    const other = [...rows].find(
      ([otherKey, { name: takenName }]) =>
        otherKey !== key && !Object.hasOwn(blocks, otherKey) && takenName.toLowerCase() === name.toLowerCase(),
    )
    return other
      ? [
          {
            line: findLine(['blocks', key, 'name']),
            message: `"${name}" is in the dataflow under the key "${other[0]}". If it is the same block, add "moved: { ${other[0]}: ${key} }"; otherwise name it differently.`,
          },
        ]
      : []
  })
}
