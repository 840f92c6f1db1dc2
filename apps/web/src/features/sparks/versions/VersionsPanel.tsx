import type { Spark, SparkVersion } from '@trellis/contract/sparks/sparks.schemas'
import { useState } from 'react'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { SidePanel } from '../../../ui/overlays/SidePanel.tsx'
import { useSparkVersions, useUpdateSpark } from '../sparks.queries.ts'
import { useSparks } from '../use-sparks.ts'
import { CompareDialog } from './CompareDialog.tsx'
import styles from './versions.module.css'

export default function VersionsPanel({ spark, onClose }: { spark: Spark; onClose: () => void }) {
  const { params } = useSparks()
  const sparkParams = { ...params, spark_trellis_code: spark.spark_trellis_code }
  const versions = useSparkVersions(sparkParams)
  const [compared, setCompared] = useState<SparkVersion | null>(null)
  if (compared) {
    return (
      <CompareDialog spark={spark} before={compared} after={spark.latest_version} onClose={() => setCompared(null)} />
    )
  }
  return (
    <SidePanel title="Versions" onClose={onClose}>
      <Loaded query={versions} subject="The versions">
        {({ versions: list }) => (
          <ol className={styles.list}>
            {list.map((version) => (
              <Version
                key={version.spark_version_trellis_code}
                spark={spark}
                version={version}
                onCompare={() => setCompared(version)}
              />
            ))}
          </ol>
        )}
      </Loaded>
    </SidePanel>
  )
}

interface VersionProps {
  spark: Spark
  version: SparkVersion
  onCompare: () => void
}

function Version({ spark, version, onCompare }: VersionProps) {
  const { params, paths, canWrite } = useSparks()
  const update = useUpdateSpark()
  const { spark_version_trellis_code: code, number } = version
  const sparkParams = { ...params, spark_trellis_code: spark.spark_trellis_code }
  const isLatest = code === spark.latest_version.spark_version_trellis_code
  const isShown = code === spark.shown_version.spark_version_trellis_code
  const isPinned = code === spark.pinned_version_trellis_code
  return (
    <li className={styles.version} aria-label={`Version ${number}`}>
      <div className={styles.head}>
        <strong>Version {number}</strong>
        {isLatest && <Badge>Latest</Badge>}
        {isPinned && <Badge tone="accent">Pinned</Badge>}
        {isShown && <Badge tone="success">Shown</Badge>}
      </div>
      {version.note !== '' && <p>{version.note}</p>}
      <p className={styles.facts}>
        {version.created_by !== null && `${version.created_by} · `}
        <DateTime value={version.created_at} />
      </p>
      <div className={styles.actions}>
        <ButtonLink
          size="sm"
          variant="ghost"
          to={isShown ? paths.one(spark.spark_trellis_code) : `${paths.one(spark.spark_trellis_code)}?version=${code}`}
        >
          Open
        </ButtonLink>
        {!isLatest && (
          <Button size="sm" variant="ghost" onClick={onCompare}>
            Compare with latest
          </Button>
        )}
        {canWrite && (
          <Button
            size="sm"
            variant="ghost"
            isBusy={update.isPending}
            onClick={() =>
              update.mutate({ params: sparkParams, body: { pinned_version_trellis_code: isPinned ? null : code } })
            }
          >
            {isPinned ? 'Unpin' : 'Pin'}
          </Button>
        )}
        {canWrite && !isLatest && (
          <Button
            size="sm"
            variant="ghost"
            isBusy={update.isPending}
            onClick={() => update.mutate({ params: sparkParams, body: { restore_version_trellis_code: code } })}
          >
            Restore
          </Button>
        )}
      </div>
    </li>
  )
}
