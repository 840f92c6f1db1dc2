import type { ParameterValues } from '@trellis/contract/sparks/spark-bridge.schemas'
import type { Spark, SparkVersionDetail } from '@trellis/contract/sparks/sparks.schemas'
import {
  Download,
  History,
  LayoutDashboard,
  Link2,
  Mail,
  Maximize,
  MessageSquare,
  MoreHorizontal,
  Pencil,
  Printer,
  RotateCw,
  SquarePen,
  Trash2,
} from 'lucide-react'
import { lazy, Suspense, useState, type RefObject } from 'react'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { useAddress } from '../../../ui/data/use-address.ts'
import { showToast } from '../../../ui/feedback/toasts.ts'
import { Menu } from '../../../ui/overlays/Menu.tsx'
import { useUpdateSpark } from '../sparks.queries.ts'
import { useSparks } from '../use-sparks.ts'
import { useExportSpark } from './use-export-spark.ts'
import styles from './view.module.css'

const CommentsPanel = lazy(() => import('../comments/CommentsPanel.tsx'))
const VersionsPanel = lazy(() => import('../versions/VersionsPanel.tsx'))
const SparkDialogs = lazy(() => import('./SparkDialogs.tsx'))

export type SparkDialog = 'rename' | 'delete' | 'mail'

interface SparkActionsProps {
  spark: Spark
  version: SparkVersionDetail | undefined
  parameters: ParameterValues
  sheet: RefObject<HTMLDivElement | null>
  onRefresh: () => void
}

export function SparkActions({ spark, version, parameters, sheet, onRefresh }: SparkActionsProps) {
  const { params, paths, canWrite } = useSparks()
  const address = useAddress()
  const [dialog, setDialog] = useState<SparkDialog | null>(null)
  const update = useUpdateSpark()
  const save = useExportSpark({ params, spark, version, parameters })
  const { spark_trellis_code } = spark
  const isPanel = address.params.get('versions') === '1'
  const isCommentsOpen = address.params.get('comments') === '1'
  const share = () =>
    void navigator.clipboard
      .writeText(location.href)
      .then(() => showToast({ tone: 'success', text: 'Link copied. It opens with the rights of who follows it.' }))
  const toggleOnDashboard = () =>
    update.mutate(
      {
        params: { ...params, spark_trellis_code },
        body: { is_on_dashboard: !spark.is_on_dashboard },
      },
      {
        onSuccess: ({ is_on_dashboard }) =>
          showToast({
            tone: 'success',
            text: is_on_dashboard ? 'The spark is on the dashboard.' : 'The spark is off the dashboard.',
          }),
      },
    )
  return (
    <div className={styles.actions}>
      <Button icon={<RotateCw aria-hidden />} onClick={onRefresh}>
        Refresh
      </Button>
      <Button icon={<History aria-hidden />} onClick={() => address.put({ versions: '1' })}>
        Versions
      </Button>
      <Button icon={<MessageSquare aria-hidden />} onClick={() => address.put({ comments: '1' })}>
        {spark.open_comments === 0 ? 'Comments' : `Comments (${spark.open_comments})`}
      </Button>
      {canWrite && (
        <ButtonLink to={paths.edit(spark_trellis_code)} icon={<SquarePen aria-hidden />} variant="primary">
          Edit
        </ButtonLink>
      )}
      <Menu
        label="More actions"
        align="end"
        groups={[
          [
            {
              label: 'Full screen',
              icon: <Maximize aria-hidden />,
              onSelect: () => void sheet.current?.requestFullscreen(),
            },
            { label: 'Print', icon: <Printer aria-hidden />, onSelect: () => window.print() },
            {
              label: 'Export as HTML',
              icon: <Download aria-hidden />,
              isDisabled: version === undefined || save.isPending,
              onSelect: () => save.mutate(),
            },
            { label: 'Copy link', icon: <Link2 aria-hidden />, onSelect: share },
            { label: 'Mail to me', icon: <Mail aria-hidden />, onSelect: () => setDialog('mail') },
          ],
          ...(canWrite
            ? [
                [
                  {
                    label: spark.is_on_dashboard ? 'Remove from dashboard' : 'Put on dashboard',
                    icon: <LayoutDashboard aria-hidden />,
                    onSelect: toggleOnDashboard,
                  },
                  { label: 'Rename', icon: <Pencil aria-hidden />, onSelect: () => setDialog('rename') },
                ],
                [
                  {
                    label: 'Delete',
                    icon: <Trash2 aria-hidden />,
                    isDanger: true,
                    onSelect: () => setDialog('delete'),
                  },
                ],
              ]
            : []),
        ]}
        trigger={(props) => (
          <Button {...props} icon={<MoreHorizontal aria-hidden />}>
            More
          </Button>
        )}
      />
      <Suspense>
        {isCommentsOpen && <CommentsPanel spark={spark} onClose={() => address.put({ comments: null })} />}
        {isPanel && <VersionsPanel spark={spark} onClose={() => address.put({ versions: null })} />}
        {dialog !== null && (
          <SparkDialogs dialog={dialog} spark={spark} parameters={parameters} onClose={() => setDialog(null)} />
        )}
      </Suspense>
    </div>
  )
}
