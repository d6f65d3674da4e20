/// The builtin functions that kernels call, for Clang without a device's library.
#ifdef __AMDGCN__
#define GROUP_ID(d) ((d) == 0 ? __builtin_amdgcn_workgroup_id_x() : __builtin_amdgcn_workgroup_id_y())
#define LOCAL_ID(d) ((d) == 0 ? __builtin_amdgcn_workitem_id_x() : __builtin_amdgcn_workitem_id_y())
#define BARRIER() __builtin_amdgcn_s_barrier()
#else
#define GROUP_ID(d) ((d) == 0 ? __nvvm_read_ptx_sreg_ctaid_x() : __nvvm_read_ptx_sreg_ctaid_y())
#define LOCAL_ID(d) ((d) == 0 ? __nvvm_read_ptx_sreg_tid_x() : __nvvm_read_ptx_sreg_tid_y())
#define BARRIER() __syncthreads()
#endif

#define get_group_id(d) ((size_t)GROUP_ID(d))
#define get_local_id(d) ((size_t)LOCAL_ID(d))
#define barrier(fence) BARRIER()
#define sqrt(x) __builtin_sqrtf(x)
#define clz(x) ((ulong)__builtin_clzl(x))
