import type { Spark } from '@trellis/contract/sparks/sparks.schemas'
import { LayoutTemplate, Plus, Sparkle } from 'lucide-react'
import { Link } from 'react-router'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { useUrlText } from '../../../ui/data/use-url-text.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { SearchField } from '../../../ui/forms/SearchField.tsx'
import { Page, PageHeader } from '../../../ui/layout/Page.tsx'
import styles from '../sparks.module.css'
import { useSparkList } from '../sparks.queries.ts'
import { useSparks } from '../use-sparks.ts'

export function Component() {
  const { params, paths, canWrite } = useSparks()
  const list = useSparkList(params)
  const [searchText, setSearchText] = useUrlText('q')
  const hasSparks = (list.data?.sparks.length ?? 0) > 0
  return (
    <Page>
      <PageHeader
        title="Sparks"
        subtitle="Small interactive reports over the tables of a project."
        actions={
          canWrite &&
          hasSparks && (
            <ButtonLink variant="primary" to={paths.create} icon={<Plus aria-hidden />}>
              New spark
            </ButtonLink>
          )
        }
      />
      <Loaded query={list} subject="The sparks">
        {({ sparks }) => {
          if (sparks.length === 0) return <NoSparks />
          const searched = searchText.trim().toLowerCase()
          const found = sparks.filter(({ name, description, project_name }) =>
            `${name} ${description} ${project_name}`.toLowerCase().includes(searched),
          )
          return (
            <>
              <div className={styles.bar}>
                <SearchField
                  label="Search sparks"
                  value={searchText}
                  onChange={(event) => setSearchText(event.target.value)}
                />
              </div>
              {found.length === 0 && <p className={styles.quiet}>No spark matches “{searchText.trim()}”.</p>}
              <ul className={styles.cards}>
                {found.map((spark) => (
                  <li key={spark.spark_trellis_code}>
                    <SparkCard spark={spark} to={paths.one(spark.spark_trellis_code)} />
                  </li>
                ))}
              </ul>
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

function SparkCard({ spark, to }: { spark: Spark; to: string }) {
  return (
    <Link to={to} className={styles.card}>
      <strong>{spark.name}</strong>
      {spark.description !== '' && <p>{spark.description}</p>}
      <p className={styles.facts}>
        {spark.project_name} · version {spark.shown_version.number} ·{' '}
        <DateTime value={spark.updated_at} format="relative" />
      </p>
      <span className={styles.badges}>
        {spark.stale_since !== null && <Badge tone="warning">Stale</Badge>}
        {spark.pinned_version_trellis_code !== null && <Badge>Pinned version</Badge>}
        {spark.is_on_dashboard && <Badge tone="accent">On the dashboard</Badge>}
      </span>
    </Link>
  )
}

const WAYS = [
  {
    from: 'template',
    icon: LayoutTemplate,
    title: 'Use a template',
    text: 'Choose a table and its columns: a KPI page, a trend, a funnel, cohorts, a map and more.',
  },
  {
    from: 'prompt',
    icon: Sparkle,
    title: 'Describe it',
    text: 'A connected model writes the queries and blocks. You see and change all of it.',
  },
  {
    from: 'scratch',
    icon: Plus,
    title: 'Start from scratch',
    text: 'Write your own SQL and put charts, tables and numbers together.',
  },
] as const

function NoSparks() {
  const { paths, canWrite } = useSparks()
  return (
    <>
      <EmptyState
        icon={<Sparkle aria-hidden />}
        title="No sparks yet"
        subtitle={
          canWrite
            ? 'A spark is a small interactive report that everyone in this workspace can open. Three ways to begin:'
            : 'A spark is a small interactive report. Ask an editor or admin to create one.'
        }
      />
      {canWrite && (
        <ul className={classNames(styles.cards, styles.ways)}>
          {WAYS.map(({ from, icon: Icon, title, text }) => (
            <li key={from}>
              <Link to={`${paths.create}?from=${from}`} className={styles.card}>
                <Icon aria-hidden />
                <strong>{title}</strong>
                <p>{text}</p>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
