import type { ReactNode } from 'react'
import { classNames } from '../ui/class-names.ts'
import styles from './running.module.css'

export function PictureTable({
  label,
  heads,
  className,
  children,
}: {
  label: string
  heads: readonly string[]
  className: string | undefined
  children: ReactNode
}) {
  return (
    <div
      className={classNames(styles.pictureTable, className)}
      tabIndex={0}
      role="group"
      aria-label={`${label} as a table`}
    >
      <table aria-label={label}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
