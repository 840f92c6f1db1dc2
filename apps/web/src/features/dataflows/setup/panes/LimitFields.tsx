import { useDraft } from '../draft/use-block-draft.ts'
import styles from '../setup.module.css'
import { NumberField } from './NumberField.tsx'

export function LimitFields() {
  const { settings, set, isDisabled } = useDraft()
  return (
    <section className={styles.group} aria-label="Limits">
      <h2>Limits</h2>
      <div className={styles.pair}>
        <div data-path="attempts">
          <NumberField
            label="Attempts"
            hint="How often a run is tried before it counts as failed."
            value={settings.attempts}
            min={1}
            max={10}
            isDisabled={isDisabled}
            onChange={(attempts) => set('attempts', attempts)}
          />
        </div>
        <div data-path="most_minutes">
          <NumberField
            label="Longest time in minutes"
            hint="A run that takes longer is stopped."
            value={settings.most_minutes}
            min={1}
            max={1440}
            isDisabled={isDisabled}
            onChange={(minutes) => set('most_minutes', minutes)}
          />
        </div>
      </div>
    </section>
  )
}
