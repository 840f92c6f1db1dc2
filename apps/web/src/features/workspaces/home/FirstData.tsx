import type { Permission } from '@trellis/contract/core/permissions'
import { FlaskConical, Plug, Upload, type LucideIcon } from 'lucide-react'
import { Link } from 'react-router'
import styles from './getting-started.module.css'
import type { HomeScope } from './use-home-scope.ts'

interface DataWay {
  icon: LucideIcon
  title: string
  text: string
  permission: Permission
  to: (root: string, upload: string) => string
}

export const DATA_WAYS: readonly DataWay[] = [
  {
    icon: Upload,
    title: 'Upload a file',
    text: 'CSV, Excel, JSON or Parquet becomes a table.',
    permission: 'uploads:write',
    to: (_root, upload) => upload,
  },
  {
    icon: Plug,
    title: 'Connect a source',
    text: 'A database, an app or any web API, also with sample data.',
    permission: 'integrations:write',
    to: (root) => `${root}/integrations/create`,
  },
  {
    icon: FlaskConical,
    title: 'Try the sandbox',
    text: 'The orders of a small shop, to try queries and sparks on.',
    permission: 'explorer:write',
    to: (root) => `${root}/sandbox`,
  },
]

/** Exists in every database; saves a request for the schemas. */
const PROVISIONED_SCHEMA = 'data'

export function FirstData({ scope, database }: { scope: HomeScope; database: string }) {
  const upload = `${scope.root}/explorer/${encodeURIComponent(database)}/schema/${PROVISIONED_SCHEMA}/files/new`
  return (
    <ul className={styles.ways} aria-label="Add data">
      {DATA_WAYS.filter(({ permission }) => scope.can(permission)).map(({ icon: Icon, title, text, to }) => (
        <li key={title}>
          <Link to={to(scope.root, upload)}>
            <Icon aria-hidden />
            <strong>{title}</strong>
            <span>{text}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
