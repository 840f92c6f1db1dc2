import { useMemo } from 'react'
import type { Parts } from '../draft/block-kinds.ts'
import { DifferenceTable } from './DifferenceTable.tsx'
import { lineDiff } from './line-diff.ts'
import { listSettingDifferences, type Difference } from './setting-differences.ts'
import styles from './versions.module.css'

interface Side {
  title: string
  settings: Parts
}

export function Comparison({ before, after }: { before: Side; after: Side }) {
  const all = useMemo(() => listSettingDifferences(before.settings, after.settings), [before.settings, after.settings])
  if (all.length === 0)
    return <p className={styles.soft}>{`${before.title} and ${after.title.toLowerCase()} are the same.`}</p>
  return (
    <div className={styles.stack}>
      <DifferenceTable
        differences={all.filter((difference) => !difference.isCode)}
        before={before.title}
        after={after.title}
      />
      {all
        .filter((difference) => difference.isCode)
        .map((difference) => (
          <CodeDifference key={difference.path} difference={difference} before={before.title} after={after.title} />
        ))}
    </div>
  )
}

function CodeDifference({ difference, before, after }: { difference: Difference; before: string; after: string }) {
  const lines = useMemo(() => lineDiff(difference.before ?? '', difference.after ?? ''), [difference])
  return (
    <section>
      <h3>{difference.label}</h3>
      <div className={styles.wide} tabIndex={0} role="region" aria-label={`${difference.label}, side by side`}>
        <table className={styles.diff}>
          <colgroup>
            <col className={styles.numbers} />
            <col />
            <col className={styles.numbers} />
            <col />
          </colgroup>
          <thead>
            <tr>
              <th scope="col" colSpan={2}>
                {before}
              </th>
              <th scope="col" colSpan={2}>
                {after}
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line, index) => {
              const isSame = line.before?.text === line.after?.text
              return (
                <tr key={index}>
                  <td className={styles.number}>{line.before?.number}</td>
                  <td data-change={isSame ? undefined : line.before ? 'removed' : 'none'}>{line.before?.text}</td>
                  <td className={styles.number}>{line.after?.number}</td>
                  <td data-change={isSame ? undefined : line.after ? 'added' : 'none'}>{line.after?.text}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </section>
  )
}
