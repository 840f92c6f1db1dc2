import { Link } from 'react-router'
import styles from './layout.module.css'

export interface Crumb {
  label: string
  to?: string
}

export function Breadcrumbs({ crumbs, label = 'Breadcrumb' }: { crumbs: readonly Crumb[]; label?: string }) {
  return (
    <nav aria-label={label}>
      <ol className={styles.crumbs}>
        {crumbs.map((crumb, at) => {
          const isLast = at === crumbs.length - 1
          return (
            <li key={`${at}-${crumb.label}`}>
              {crumb.to !== undefined && !isLast ? (
                <Link to={crumb.to}>{crumb.label}</Link>
              ) : (
                <span aria-current={isLast ? 'page' : undefined}>{crumb.label}</span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
