"""`Unpack` of every Python, so that `typing.get_type_hints` finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence, Union

import numpy as np

#: What is in the memory of the host, whose answer is an array of NumPy; the answer for other arrays is of their library.
Host = Union[np.ndarray, Sequence[Any], float]

if TYPE_CHECKING:
    from typing_extensions import Unpack as Unpack
else:
    try:
        from typing import Unpack
    except ImportError:  # Python 3.10 and before
        try:
            from typing_extensions import Unpack
        except ImportError:

            class Unpack:
                """Of a TypedDict: that TypedDict."""

                def __class_getitem__(cls, item: Any) -> Any:
                    return item
