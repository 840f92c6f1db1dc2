import styles from '../setup.module.css'

export const PANES = {
  input: { id: 'pane-input', label: 'Input' },
  settings: { id: 'pane-settings', label: 'Settings' },
  output: { id: 'pane-output', label: 'Output' },
} as const

export type PaneName = keyof typeof PANES
const NAMES = Object.keys(PANES) as PaneName[]

export function PaneTabs({ value, onChange }: { value: PaneName; onChange: (pane: PaneName) => void }) {
  return (
    <div className={styles.paneTabs} role="group" aria-label="Panes">
      {NAMES.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === value}
          aria-controls={PANES[name].id}
          onClick={() => onChange(name)}
        >
          {PANES[name].label}
        </button>
      ))}
    </div>
  )
}
