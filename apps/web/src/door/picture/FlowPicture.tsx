import { AnswerCard } from './AnswerCard.tsx'
import { BlockIcon } from './BlockIcon.tsx'
import { BLOCK, BLOCKS, EDGES } from './flow.ts'
import styles from './picture.module.css'

/** What Trellis does, in one calm picture: sources flow into a table, a question is answered from it. */
export function FlowPicture() {
  return (
    <aside className={styles.picture} aria-hidden="true">
      <svg className={styles.canvas} viewBox="-8 6 664 560" fill="none">
        {EDGES.map(({ id, path }) => (
          <path key={id} className={styles.edge} d={path} />
        ))}
        {EDGES.map(({ id, path }) => (
          <path key={id} className={styles.packet} d={path} pathLength={100} />
        ))}
        <path className={styles.edge} d="M560 190v36c0 22-14 34-36 34h-74c-22 0-36 12-36 34v26" />
        <path className={styles.packet} d="M560 190v36c0 22-14 34-36 34h-74c-22 0-36 12-36 34v26" pathLength={100} />
        {BLOCKS.map(({ id, kind, title, note, x, y }) => (
          <g key={id} className={styles[kind]} transform={`translate(${x} ${y})`}>
            <rect className={styles.card} width={BLOCK.width} height={BLOCK.height} rx="10" />
            <rect className={styles.tile} x="10" y="11" width="32" height="32" rx="8" />
            <g className={styles.icon} transform="translate(18 19)">
              <BlockIcon kind={kind} />
            </g>
            <text className={styles.title} x="52" y="24">
              {title}
            </text>
            <text className={styles.note} x="52" y="39">
              {note}
            </text>
            {kind === 'table' && <circle className={styles.ok} cx={BLOCK.width - 16} cy="27" r="3.5" />}
          </g>
        ))}
        <AnswerCard />
      </svg>
    </aside>
  )
}
