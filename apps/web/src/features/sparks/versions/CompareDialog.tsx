import type { Spark, SparkVersion, SparkVersionDetail } from '@trellis/contract/sparks/sparks.schemas'
import { diffLines } from 'diff'
import { useState } from 'react'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Tabs } from '../../../ui/layout/Tabs.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { LiveSpark } from '../../../spark-host/LiveSpark.tsx'
import { useSparkVersion } from '../../../spark-host/spark-data.queries.ts'
import { useSparks } from '../use-sparks.ts'
import { formatContent } from './format-content.ts'
import styles from './versions.module.css'

const FRAME_HEIGHT = 520

interface CompareDialogProps {
  spark: Spark
  before: SparkVersion
  after: SparkVersion
  onClose: () => void
}

export function CompareDialog({ spark, before, after, onClose }: CompareDialogProps) {
  const { params } = useSparks()
  const sparkParams = { ...params, spark_trellis_code: spark.spark_trellis_code }
  const sparkVersionQuery = useSparkVersion(sparkParams, before.spark_version_trellis_code)
  const other = useSparkVersion(sparkParams, after.spark_version_trellis_code)
  const [tab, setTab] = useState('changes')
  return (
    <Dialog title={`Version ${before.number} and version ${after.number}`} size="lg" onClose={onClose}>
      <Loaded query={sparkVersionQuery} subject="The older version">
        {(old) => (
          <Loaded query={other} subject="The latest version">
            {(now) => (
              <Tabs
                label="Compare versions"
                value={tab}
                onChange={setTab}
                tabs={[
                  { value: 'changes', label: 'Changes', content: <VersionChanges before={old} after={now} /> },
                  {
                    value: 'side',
                    label: 'Side by side',
                    content: (
                      <div className={styles.side}>
                        <Beside version={old} name={spark.name} />
                        <Beside version={now} name={spark.name} />
                      </div>
                    ),
                  },
                ]}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </Dialog>
  )
}

function VersionChanges({ before, after }: { before: SparkVersionDetail; after: SparkVersionDetail }) {
  const parts = diffLines(formatContent(before.content), formatContent(after.content))
  if (parts.every(({ added, removed }) => !added && !removed)) {
    return <p className={styles.facts}>Both versions have the same content.</p>
  }
  return (
    <pre tabIndex={0} aria-label="Changes" className={styles.diff}>
      {parts.flatMap(({ value, added, removed }, part) =>
        value
          .replace(/\n$/, '')
          .split('\n')
          .map((text, line) => (
            <span key={`${part} ${line}`} data-kind={added ? 'added' : removed ? 'removed' : 'same'}>
              {added ? '+' : removed ? '-' : ' '} {text}
            </span>
          )),
      )}
    </pre>
  )
}

function Beside({ version, name }: { version: SparkVersionDetail; name: string }) {
  const { params } = useSparks()
  const [values, setValues] = useState(() =>
    Object.fromEntries(version.content.parameters.map(({ key, initial }) => [key, initial])),
  )
  return (
    <section aria-label={`Version ${version.number}`}>
      <h3>Version {version.number}</h3>
      <LiveSpark
        params={params}
        label={`${name}, version ${version.number}`}
        version={version}
        parameters={values}
        onParameters={setValues}
        height={FRAME_HEIGHT}
      />
    </section>
  )
}
