import { Search } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { ControlBox } from './Field.tsx'
import styles from './forms.module.css'

/** A filter box: its label is only read aloud. */
export function SearchField({
  label,
  end,
  className,
  ...input
}: { label: string; end?: ReactNode } & Omit<ComponentProps<'input'>, 'size'>) {
  return (
    <ControlBox isInvalid={false} isLocked={false} className={classNames(styles.quiet, className)}>
      <span className={styles.start}>
        <Search aria-hidden />
      </span>
      <input
        type="search"
        placeholder={label}
        aria-label={label}
        autoComplete="off"
        {...input}
        className={classNames(styles.input)}
      />
      {end && <span className={styles.end}>{end}</span>}
    </ControlBox>
  )
}
