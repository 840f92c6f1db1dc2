import type { Spark, SparkData } from '@trellis/contract/sparks/sparks.schemas'
import { useCallback, useMemo, useRef, useState } from 'react'
import { Link, useParams } from 'react-router'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { useAddress } from '../../../ui/data/use-address.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { Page, PageHeader, Stack } from '../../../ui/layout/Page.tsx'
import { LiveSpark } from '../../../spark-host/LiveSpark.tsx'
import { useSparkVersion } from '../../../spark-host/spark-data.queries.ts'
import { useSpark } from '../sparks.queries.ts'
import { useSparks } from '../use-sparks.ts'
import { listProblems } from './list-problems.ts'
import { SparkActions } from './SparkActions.tsx'
import { readParameters, writeParameters } from './url-parameters.ts'
import styles from './view.module.css'
import { useSheetWidth } from './use-sheet-width.ts'

export function Component() {
  const { params, paths } = useSparks()
  const { spark: code = '' } = useParams()
  const spark = useSpark({ ...params, spark_trellis_code: code })
  return (
    <Page width="full">
      <Loaded
        query={spark}
        subject="The spark"
        notFoundLink={<ButtonLink to={paths.home}>All sparks</ButtonLink>}
        skeletonHeights={[48, 320]}
      >
        {(spark) => <OpenSpark key={code} spark={spark} />}
      </Loaded>
    </Page>
  )
}

function OpenSpark({ spark }: { spark: Spark }) {
  const { params, paths } = useSparks()
  const address = useAddress()
  const { spark_trellis_code } = spark
  const shown = address.params.get('version') ?? spark.shown_version.spark_version_trellis_code
  const version = useSparkVersion({ ...params, spark_trellis_code }, shown)
  const [refreshes, setRefreshes] = useState(0)
  const [allReads, setReads] = useState<Readonly<Record<string, SparkData>>>({})
  const sheet = useRef<HTMLDivElement>(null)
  useSheetWidth(sheet)
  const onRows = useCallback(
    (source: string, data: SparkData) => setReads((before) => ({ ...before, [source]: data })),
    [],
  )
  const declared = version.data?.content.parameters
  // Another version may have other sources.
  const keys = new Set(version.data?.content.sources.map(({ key }) => key))
  const reads = Object.fromEntries(Object.entries(allReads).filter(([source]) => keys.has(source)))
  const search = address.params.toString()
  const parameters = useMemo(() => readParameters(declared ?? [], new URLSearchParams(search)), [declared, search])
  const isOther = shown !== spark.shown_version.spark_version_trellis_code
  const problems = listProblems(isOther ? { stale_since: null, problems: [] } : spark, reads)
  return (
    <Stack>
      <PageHeader
        title={spark.name}
        subtitle={
          <span className={styles.facts}>
            <Link to={paths.project(spark.project_trellis_code)}>{spark.project_name}</Link>
            <span>Version {version.data?.number ?? spark.shown_version.number}</span>
            {spark.pinned_version_trellis_code !== null && <Badge>Pinned</Badge>}
            <Freshness reads={Object.values(reads)} />
          </span>
        }
        actions={
          <SparkActions
            spark={spark}
            version={version.data}
            parameters={parameters}
            sheet={sheet}
            onRefresh={() => setRefreshes((before) => before + 1)}
          />
        }
      />
      {spark.description !== '' && <p className={styles.description}>{spark.description}</p>}
      {isOther && (
        <Banner
          tone="info"
          title={`You are looking at version ${version.data?.number ?? ''}`}
          action={
            <ButtonLink size="sm" to={paths.one(spark_trellis_code)}>
              Back to the shown version
            </ButtonLink>
          }
        >
          Others see version {spark.shown_version.number}.
        </Banner>
      )}
      {problems && (
        <Banner tone="warning" title="Some rows can’t be read any more">
          <span>
            Stale since <DateTime value={problems.since} />. {problems.messages.join(' ')}
          </span>
        </Banner>
      )}
      <div ref={sheet} className={styles.sheet} data-print-sheet>
        <h1 className={styles.printTitle}>{spark.name}</h1>
        <Loaded query={version} subject="This version of the spark" skeletonHeights={[320]}>
          {(detail) => (
            <LiveSpark
              params={params}
              label={spark.name}
              version={detail}
              parameters={parameters}
              refreshes={refreshes}
              onRows={onRows}
              onParameters={(values) =>
                address.change((now) => writeParameters(detail.content.parameters, values, now))
              }
            />
          )}
        </Loaded>
      </div>
    </Stack>
  )
}

function Freshness({ reads }: { reads: readonly SparkData[] }) {
  const oldest = reads.map(({ queried_at }) => queried_at).toSorted()[0]
  const stale = reads.find(({ stale_since }) => stale_since !== null)
  if (oldest === undefined) return null
  return (
    <>
      <span>
        Rows from <DateTime value={oldest} format="recent" />
      </span>
      {stale && <Badge tone="warning">Stale</Badge>}
    </>
  )
}
