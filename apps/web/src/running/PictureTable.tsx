import type { ReactNode } from 'react'
import { classNames } from '../ui/class-names.ts'
import styles from './running.module.css'

export function PictureTable({
  label,
  columnTitles,
  className,
  children,
}: {
  label: string
  columnTitles: readonly string[]
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
            {columnTitles.map((columnTitle) => (
              <th key={columnTitle} scope="col">
                {columnTitle}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
