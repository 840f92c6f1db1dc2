import { AnswerCard } from './AnswerCard.tsx'
import { BlockIcon } from './BlockIcon.tsx'
import { BLOCK, BLOCKS, EDGES } from './flow.ts'
import styles from './picture.module.css'

const VIEW = '-8 6 664 560'

export function FlowPicture() {
  return (
    <aside className={styles.picture} aria-hidden="true">
      <div className={styles.scene}>
        <svg className={styles.canvas} viewBox={VIEW} fill="none">
          {EDGES.map(({ id, path }) => (
            <path key={id} className={styles.edge} d={path} />
          ))}
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
        <svg className={`${styles.canvas} ${styles.packets}`} viewBox={VIEW} fill="none">
          {EDGES.map(({ id, path }) => (
            <path key={id} d={path} pathLength={100} />
          ))}
        </svg>
      </div>
    </aside>
  )
}
