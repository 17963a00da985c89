"""DLPack: arrays that say where they are by a capsule, https://dmlc.github.io/dlpack/latest/python_spec.html, read without a copy and without their library."""

import ctypes

_CPU, _CUDA, _CUDA_HOST, _CUDA_MANAGED = 1, 2, 3, 13  # kinds of devices
_CODES = {0: "i", 1: "u", 2: "f", 5: "c", 6: "b"}  # kinds of numbers, as the interfaces of arrays call them


class _Tensor(ctypes.Structure):
    """DLTensor."""

    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64),
    ]  # fmt: skip


_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def interface(value):
    """Returns what __array_interface__ would say of value, and whether it is on a GPU.

    The capsule is not taken over: it ends with the call, and value keeps the memory. What computes value on a GPU is made to come before what the
    default stream does from here on.
    """
    kind, number = value.__dlpack_device__()
    if kind not in (_CPU, _CUDA, _CUDA_HOST, _CUDA_MANAGED):
        raise TypeError("an array is on a device of DLPack's kind %d, and neither in memory nor on a GPU of CUDA" % kind)
    if kind in (_CUDA, _CUDA_MANAGED) and number != 0:
        raise TypeError("an array is on GPU %d, and functions run on GPU 0: set CUDA_VISIBLE_DEVICES" % number)
    device = kind in (_CUDA, _CUDA_MANAGED)
    capsule = value.__dlpack__(stream=1) if device else value.__dlpack__()  # 1: the default stream
    tensor = _Tensor.from_address(_pointer(capsule, b"dltensor"))
    if tensor.lanes != 1 or tensor.code not in _CODES or tensor.bits % 8:
        raise TypeError("an array holds numbers of DLPack's kind %d in %d bits, %d at once, which C has not" % (tensor.code, tensor.bits, tensor.lanes))
    size = tensor.bits // 8
    made = {
        "data": ((tensor.data or 0) + tensor.byte_offset, False),
        "shape": tuple(tensor.shape[i] for i in range(tensor.ndim)),
        "typestr": "<%s%d" % (_CODES[tensor.code], size),
    }
    if tensor.strides:
        made["strides"] = tuple(tensor.strides[i] * size for i in range(tensor.ndim))
    return made, device
