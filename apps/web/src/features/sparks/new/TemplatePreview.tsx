import { previewSpark } from '@trellis/contract/sparks/sparks.endpoints'
import type { PreviewSparkRequest } from '@trellis/contract/sparks/sparks.schemas'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../../api/api-query.ts'
import { useSettled } from '../../../ui/data/use-settled.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { DraftPreview } from '../edit/DraftPreview.tsx'
import styles from '../sparks.module.css'
import { useSparks } from '../use-sparks.ts'
import { PREVIEW_HEIGHT } from './preview-height.ts'

const SETTLE_MS = 400

interface TemplatePreviewProps {
  project: string
  name: string
  template: PreviewSparkRequest['template']
  values: PreviewSparkRequest['values']
}

export default function TemplatePreview({ project, name, template, values }: TemplatePreviewProps) {
  const { params } = useSparks()
  const body = useSettled(JSON.stringify({ project_trellis_code: project, template, values }), SETTLE_MS)
  const previewQuery = useQuery({
    ...apiQuery(previewSpark, { params, body: JSON.parse(body) }),
    placeholderData: keepPreviousData,
  })
  return (
    <section aria-label="Preview" className={styles.preview}>
      {previewQuery.isError ? (
        <Banner tone="warning">{previewQuery.error.message}</Banner>
      ) : previewQuery.data ? (
        <DraftPreview project={project} name={name} content={previewQuery.data.content} height={PREVIEW_HEIGHT} />
      ) : (
        <Skeleton height={PREVIEW_HEIGHT} />
      )}
    </section>
  )
}
