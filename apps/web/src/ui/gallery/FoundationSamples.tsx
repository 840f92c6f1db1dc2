import { TrellisMark } from '../brand/TrellisMark.tsx'
import styles from './gallery.module.css'
import { Sample } from './Sample.tsx'

const SWATCHES = [
  'bg-app',
  'bg-surface',
  'bg-sunken',
  'bg-hover',
  'bg-active',
  'border-default',
  'border-control',
  'text-primary',
  'text-secondary',
  'text-tertiary',
  'accent-solid',
  'accent-soft',
  'success-solid',
  'warning-solid',
  'danger-solid',
  'info-solid',
]

export function FoundationSamples() {
  return (
    <>
      <Sample title="Mark">
        <TrellisMark size={24} />
        <TrellisMark size={36} />
        <TrellisMark size={48} />
      </Sample>
      <Sample title="Tokens" isColumn>
        <div className={styles.swatches}>
          {SWATCHES.map((name) => (
            <div key={name} className={styles.swatch}>
              <span style={{ background: `var(--${name})` }} />
              {name}
            </div>
          ))}
          {Array.from({ length: 8 }, (_, at) => (
            <div key={at} className={styles.swatch}>
              <span style={{ background: `var(--chart-${at})` }} />
              chart-{at}
            </div>
          ))}
        </div>
      </Sample>
      <Sample title="Type" isColumn>
        <div className={styles.type}>
          <p style={{ font: '600 24px/30px var(--font-sans)', letterSpacing: '-.022em' }}>Data that keeps its shape</p>
          <p style={{ font: '600 18px/24px var(--font-sans)', letterSpacing: '-.014em' }}>Data that keeps its shape</p>
          <p style={{ font: '600 15px/22px var(--font-sans)' }}>Data that keeps its shape</p>
          <p>Body, 13 on 20: rows, labels and sentences are set in this size.</p>
          <p style={{ font: '400 12px/16px var(--font-sans)', color: 'var(--text-tertiary)' }}>
            Caption, 12 on 16: hints and headings of columns.
          </p>
          <p style={{ font: '400 12px/20px var(--font-mono)' }}>select count(*) from orders where paid = true</p>
        </div>
      </Sample>
    </>
  )
}
