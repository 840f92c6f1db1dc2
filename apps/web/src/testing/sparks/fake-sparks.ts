import type { SparkComment } from '@trellis/contract/sparks/spark-comments.schemas'
import type { SparkSchedule } from '@trellis/contract/sparks/spark-schedules.schemas'
import type { Spark, SparkOrigin, SparkTemplates, SparkVersionDetail } from '@trellis/contract/sparks/sparks.schemas'

export interface FakeSparks {
  sparks: Spark[]
  versions: SparkVersionDetail[]
  origins: SparkOrigin[]
  schedule: SparkSchedule | null
  comments: SparkComment[]
  commentsPage: number
}

export const FAKE_TIME = '2026-05-01T08:00:00.000Z'

export const FAKE_TEMPLATE: SparkTemplates['templates'][number] = {
  template: 'kpi_page',
  name: 'Key figure',
  description: 'One number.',
  fields: [{ key: 'value', label: 'Value', hint: '', kinds: ['any'], is_required: true, is_list: false }],
}

function createVersion(number: number, heading: string): SparkVersionDetail {
  return {
    spark_version_trellis_code: `v${number}`,
    spark_trellis_code: 'orders',
    number,
    note: '',
    created_by: 'Ada Lovelace',
    created_at: FAKE_TIME,
    content: {
      sources: [],
      parameters: [],
      body: { kind: 'blocks', blocks: [{ kind: 'heading', width: 'full', text: heading }] },
    },
    based_keys: {},
  }
}

export function createSparks(): FakeSparks {
  const versions = [createVersion(1, 'First'), createVersion(2, 'Second')]
  const [, latest] = versions as [SparkVersionDetail, SparkVersionDetail]
  const { content: _content, based_keys: _keys, spark_trellis_code, ...shown_version } = latest
  const spark: Spark = {
    spark_trellis_code,
    project_trellis_code: 'sales',
    project_name: 'Sales',
    name: 'Orders',
    description: '',
    shown_version,
    latest_version: shown_version,
    pinned_version_trellis_code: null,
    is_on_dashboard: false,
    stale_since: null,
    problems: [],
    open_comments: 0,
    created_by: 'Ada Lovelace',
    created_at: FAKE_TIME,
    updated_at: FAKE_TIME,
  }
  return { sparks: [spark], versions, origins: [], schedule: null, comments: [], commentsPage: 30 }
}

export function createComment(code: string, more: Partial<SparkComment> = {}): SparkComment {
  return {
    spark_comment_trellis_code: code,
    text: `Comment ${code}`,
    mentions: [],
    author: { trellis_user_code: 'u-grace', name: 'Grace Hopper', is_member: true },
    is_mine: false,
    can_delete: true,
    can_resolve: true,
    created_at: FAKE_TIME,
    edited_at: null,
    resolved_at: null,
    resolved_by: null,
    ...more,
  }
}
