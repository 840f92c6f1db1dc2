import type { ReactNode } from 'react'
import type { AuthForm } from './use-auth-form.ts'
import styles from './form.module.css'

export function SubmitButton({ form, children }: { form: AuthForm; children: ReactNode }) {
  return (
    <button type="submit" className={styles.submit} disabled={!form.canSubmit} aria-busy={form.isBusy || undefined}>
      {form.isBusy && <span className={styles.spinner} aria-hidden="true" />}
      {children}
    </button>
  )
}
