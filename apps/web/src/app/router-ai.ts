import type { RouteObject } from 'react-router'
import { page } from './router-page.ts'

export const aiRoutes: RouteObject[] = [
  page({
    path: 'ai',
    handle: { title: 'AI' },
    children: [
      {
        lazy: () => import('../features/ai/AiFrame.tsx'),
        children: [
          { index: true, lazy: () => import('../features/ai/home/AiHomePage.tsx') },
          page({
            path: 'projects',
            handle: { title: 'Projects' },
            lazy: () => import('../features/ai/projects/ProjectsPage.tsx'),
          }),
          page({
            path: 'chats',
            handle: { title: 'Chats' },
            lazy: () => import('../features/ai/chats/ChatsPage.tsx'),
          }),
          page({
            path: 'jobs',
            handle: { title: 'Jobs' },
            lazy: () => import('../features/ai/jobs/JobsPage.tsx'),
          }),
        ],
      },
      page({
        path: 'projects/:project',
        handle: { title: 'Project' },
        lazy: () => import('../features/ai/projects/ProjectPage.tsx'),
      }),
      page({
        path: 'chats/:conversation',
        handle: { title: 'Chat' },
        lazy: () => import('../features/ai/conversation/ConversationPage.tsx'),
      }),
    ],
  }),
]
