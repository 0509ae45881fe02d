"""A memory behind the interfaces of other programs; each needs its package: an extra of its own.

storykeeper.adapters.tools          schemas and a dispatcher for any model that calls functions
storykeeper.adapters.openai_agents  the same as tools of the OpenAI Agents SDK
storykeeper.adapters.langgraph      a store of LangGraph
storykeeper.adapters.langchain      a retriever of LangChain
storykeeper.adapters.llamaindex     a retriever and a memory block of LlamaIndex
"""
