import type { Spark, SparkVersionDetail } from '@trellis/contract/sparks/sparks.schemas'
import { lazy, Suspense } from 'react'
import { useParams } from 'react-router'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Page } from '../../../ui/layout/Page.tsx'
import { useLatestSparkVersion } from '../../../spark-host/spark-data.queries.ts'
import { useSpark } from '../sparks.queries.ts'
import { useSparks } from '../use-sparks.ts'

const SparkEditor = lazy(() => import('./SparkEditor.tsx'))

export interface EditedSpark {
  spark: Spark
  version: SparkVersionDetail
}

export function Component() {
  const { params, paths } = useSparks()
  const { spark: code = '' } = useParams()
  const sparkParams = { ...params, spark_trellis_code: code }
  const spark = useSpark(sparkParams)
  const version = useLatestSparkVersion(sparkParams)
  return (
    <Page width="full">
      <Loaded
        query={spark}
        subject="The spark"
        notFoundLink={<ButtonLink to={paths.home}>All sparks</ButtonLink>}
        skeletonHeights={[48, 320]}
      >
        {(spark) => (
          <Loaded query={version} subject="The latest version" skeletonHeights={[320]}>
            {(latest) => (
              <Suspense fallback={<Skeleton height={320} />}>
                <SparkEditor key={code} spark={spark} version={latest} />
              </Suspense>
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}
