import { ChevronDown, ChevronRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import { canPick, treeLines, type TreeLine } from './answer-tree.ts'
import styles from './builder.module.css'

const OPEN_DEPTH = 2

export function AnswerTree({
  body,
  records,
  onPick,
}: {
  body: unknown
  records: string
  onPick: (path: string) => void
}) {
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const lines = useMemo(() => treeLines(body, (path, depth) => depth < OPEN_DEPTH !== turned.has(path)), [body, turned])
  const turn = (path: string) => {
    const next = new Set(turned)
    if (!next.delete(path)) next.add(path)
    setTurned(next)
  }
  return (
    <ul className={styles.tree} aria-label="Answer">
      {lines.map((line) => (
        <Line
          key={line.path}
          line={line}
          isOpen={line.depth < OPEN_DEPTH !== turned.has(line.path)}
          isChosen={line.kind === 'list' && line.path === records}
          onTurn={() => turn(line.path)}
          onPick={() => onPick(line.path)}
        />
      ))}
    </ul>
  )
}

interface LineProps {
  line: TreeLine
  isOpen: boolean
  isChosen: boolean
  onTurn: () => void
  onPick: () => void
}

function Line({ line, isOpen, isChosen, onTurn, onPick }: LineProps) {
  const hasInner = line.kind !== 'value' && line.count > 0
  return (
    <li style={{ paddingLeft: line.depth * 14 }} data-chosen={isChosen}>
      {hasInner ? (
        <button
          type="button"
          className={styles.turn}
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Close' : 'Open'} ${line.name}`}
          onClick={onTurn}
        >
          {isOpen ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
        </button>
      ) : (
        <span className={styles.turn} />
      )}
      <span className={styles.treeName}>{line.name}</span>
      <span className={styles.treeValue} data-kind={line.kind}>
        {line.text}
      </span>
      {canPick(line) && (
        <button type="button" className={styles.pick} aria-pressed={isChosen} onClick={onPick}>
          {isChosen ? 'Records stand here' : `Take records from ${line.path || 'here'}`}
        </button>
      )}
    </li>
  )
}
