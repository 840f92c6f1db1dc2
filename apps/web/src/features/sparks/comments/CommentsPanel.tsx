import type { Spark } from '@trellis/contract/sparks/sparks.schemas'
import { MessageSquare } from 'lucide-react'
import { useState } from 'react'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Switch } from '../../../ui/forms/Choices.tsx'
import { SidePanel } from '../../../ui/overlays/SidePanel.tsx'
import { useSparks } from '../use-sparks.ts'
import { Comment } from './Comment.tsx'
import { CommentForm } from './CommentForm.tsx'
import styles from './comments.module.css'
import { useCreateComment, useMentionablePeople, useSparkComments } from './comments.queries.ts'

export default function CommentsPanel({ spark, onClose }: { spark: Spark; onClose: () => void }) {
  const { params } = useSparks()
  const { spark_trellis_code } = spark
  const sparkParams = { ...params, spark_trellis_code }
  const [isAll, setAll] = useState(false)
  const comments = useSparkComments(sparkParams, isAll ? 'all' : 'open')
  const { people, isPending: arePeopleLoading, isError } = useMentionablePeople(params)
  const create = useCreateComment()
  return (
    <SidePanel title="Comments" onClose={onClose}>
      <div className={styles.panel}>
        <CommentForm
          label="New comment"
          submitLabel="Comment"
          people={people}
          arePeopleLoading={arePeopleLoading}
          hint={isError ? 'People could not be loaded: nobody can be mentioned now.' : undefined}
          isBusy={create.isPending}
          onSend={(body, onDone) => create.mutate({ params: sparkParams, body }, { onSuccess: onDone })}
        />
        <Switch label="Show resolved" checked={isAll} onChange={(event) => setAll(event.target.checked)} />
        <Loaded query={comments} subject="The comments" skeletonHeights={[72, 72, 72]}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState
                icon={<MessageSquare />}
                title={isAll ? 'No comments yet' : 'No open comments'}
                subtitle="Ask about a number or explain it. Everybody who may see the spark can read along."
              />
            ) : (
              <ol className={styles.list}>
                {list.map((comment) => (
                  <Comment
                    key={comment.spark_comment_trellis_code}
                    sparkCode={spark_trellis_code}
                    comment={comment}
                    people={people}
                    arePeopleLoading={arePeopleLoading}
                  />
                ))}
              </ol>
            )
          }
        </Loaded>
        {comments.isFetchNextPageError && <Banner tone="danger">Older comments could not be loaded.</Banner>}
        {comments.hasNextPage && (
          <Button size="sm" isBusy={comments.isFetchingNextPage} onClick={() => void comments.fetchNextPage()}>
            Show older comments
          </Button>
        )}
      </div>
    </SidePanel>
  )
}
