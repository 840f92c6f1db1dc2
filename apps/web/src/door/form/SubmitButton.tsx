import type { ReactNode } from 'react'
import type { DoorForm } from './use-door-form.ts'
import styles from './form.module.css'

export function SubmitButton({ form, children }: { form: DoorForm; children: ReactNode }) {
  return (
    <button type="submit" className={styles.submit} disabled={!form.canSubmit} aria-busy={form.isBusy || undefined}>
      {form.isBusy && <span className={styles.spinner} aria-hidden="true" />}
      {children}
    </button>
  )
}
