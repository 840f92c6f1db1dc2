import { listWorkspaceMembers } from '@trellis/contract/members/members.endpoints'
import * as calls from '@trellis/contract/sparks/spark-comments.endpoints'
import type { SparkComment, SparkComments, SparkCommentsQuery } from '@trellis/contract/sparks/spark-comments.schemas'
import { getSpark } from '@trellis/contract/sparks/sparks.endpoints'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { WorkspaceAddress } from '../../../api/workspace-address.ts'
import type { ApiError } from '../../../api/api-error.ts'
import { apiQuery, useApiMutation, withDetail } from '../../../api/api-query.ts'
import { call } from '../../../api/call.ts'
import type { Mentionable } from './mention-text.ts'

const CHANGED = [calls.listSparkComments, getSpark]

type SparkParams = WorkspaceAddress & { spark_trellis_code: string }

export function useSparkComments(params: SparkParams, state: SparkCommentsQuery['state']) {
  return useInfiniteQuery<SparkComments, ApiError, SparkComment[], readonly unknown[], string | undefined>({
    queryKey: [calls.listSparkComments.id, { params, state }],
    queryFn: ({ pageParam, signal }) =>
      call(
        calls.listSparkComments,
        { params, query: { state, ...(pageParam !== undefined && { before: pageParam }) } },
        { signal },
      ),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.next_before ?? undefined,
    select: ({ pages }) => pages.flatMap(({ comments }) => comments),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

export function useMentionablePeople(params: WorkspaceAddress) {
  const query = useQuery(apiQuery(listWorkspaceMembers, { params }))
  const people = (query.data ?? []).map(({ profile }): Mentionable => ({
    code: profile.trellis_user_code,
    name: `${profile.first_name} ${profile.surname}`.trim(),
    email: profile.email,
  }))
  return { people, isPending: query.isPending, isError: query.isError }
}

export const useCreateComment = () =>
  useApiMutation(calls.createSparkComment, {
    invalidates: CHANGED,
    errorText: withDetail('The comment could not be sent.'),
  })
export const useUpdateComment = () =>
  useApiMutation(calls.updateSparkComment, {
    invalidates: CHANGED,
    errorText: withDetail('The comment could not be saved.'),
  })
export const useResolveComment = () =>
  useApiMutation(calls.resolveSparkComment, {
    invalidates: CHANGED,
    errorText: withDetail('The comment could not be changed.'),
  })
export const useDeleteComment = () =>
  useApiMutation(calls.deleteSparkComment, {
    invalidates: CHANGED,
    successText: 'Comment deleted.',
    errorText: withDetail('The comment could not be deleted.'),
  })
